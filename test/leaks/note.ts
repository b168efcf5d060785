import * as z from 'zod'
import { defineHandle, ToolError } from 'helve'

/** Whether the schema of the state refuses what is stored, as that of a later deploy may. */
export const deployed = { refuses: false }

const words = z.string().superRefine((stored, context) => {
  if (!deployed.refuses) return
  context.addIssue({ code: 'custom', message: `cannot be ${stored}.` })
})

/** A handle that says in its object, in every way there is, what it is handed. */
export const note = defineHandle({
  name: 'note',
  prefix: 'note',
  idle: '1h',
  state: z.object({ words }),
  start(stored: string, deed: 'start' | 'refuse' | 'fail') {
    if (deed === 'refuse') throw new ToolError(stored)
    if (deed === 'fail') throw new TypeError(stored)
    return { words: stored }
  },
  verbs: {
    say: (_, said: string) => said,
    refuse(_, said: string) {
      throw new ToolError(said)
    },
    refuseWithCause(_, said: string) {
      throw new ToolError('Not now.', { cause: new RangeError(said) })
    },
    sayDeeply: (_, said: string) => ({ [said]: [said] }),
    failPlainly(_, said: string) {
      // oxlint-disable-next-line no-throw-literal, only-throw-error -- as some libraries do
      throw { [said]: said }
    },
    fail(_, said: string) {
      throw new TypeError('The note is torn.', { cause: new Error(said) })
    },
  },
  onExpire({ state }) {
    throw new Error(state.words)
  },
})
