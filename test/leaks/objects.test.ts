import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineTool, type Tool } from 'helve'
import { callTool, type Exit, type Sent } from './exit.ts'
import { deployed, note } from './note.ts'
import { findLeaks, toRows } from './table.ts'

/* What leaves from inside a Durable Object. */

const described = { description: 'Says.' }

afterEach(() => {
  vi.useRealTimers()
  deployed.refuses = false
})

/** Makes a note, and has it do what it can do. */
function noting(
  said: string,
  deed: 'say' | 'refuse' | 'refuseWithCause' | 'fail' | 'failPlainly',
): Tool {
  return defineTool({
    ...described,
    async run({ create }) {
      const made = await create(note, 'x', 'start')
      return made[deed](said)
    },
  })
}

/** Makes a note, and returns what it says within a value. */
function notingDeeply(said: string): Tool {
  return defineTool({
    ...described,
    output: z.object({ deep: z.record(z.string(), z.array(z.string())) }),
    async run({ create }) {
      const made = await create(note, 'x', 'start')
      return { deep: await made.sayDeeply(said) }
    },
  })
}

function starting(said: string, deed: 'refuse' | 'fail'): Tool {
  return defineTool({
    ...described,
    async run({ create }) {
      const { id } = await create(note, said, deed)
      return id
    },
  })
}

/** Makes a note that a later deploy cannot read, and reads it. */
function unreadable(said: string): Tool {
  return defineTool({
    ...described,
    async run({ create, read }) {
      const { id } = await create(note, said, 'start')
      deployed.refuses = true
      const { words } = await read(note, id)
      return words
    },
  })
}

/** Makes a note, and rings its alarm when it has expired. */
async function expire(said: string): Promise<Sent> {
  const before = new Set((await listDurableObjectIds(namespace())).map(String))
  await callTool(
    defineTool({
      ...described,
      async run({ create }) {
        const { id } = await create(note, said, 'start')
        return id
      },
    }),
  )
  const ids = await listDurableObjectIds(namespace())
  const id = ids.find((one) => !before.has(String(one)))
  if (id === undefined) throw new Error('No note was made.')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  const text = await runInDurableObject(namespace().get(id), async (object) => {
    try {
      await object.alarm?.()
      return '{}'
    } catch (error) {
      return error instanceof Error ? JSON.stringify([error.message, error.stack]) : '{}'
    }
  })
  return { status: 200, headers: new Headers(), text }
}

function namespace(): DurableObjectNamespace {
  const found: unknown = Reflect.get(env, 'HANDLES')
  if (!isNamespace(found)) throw new TypeError('The fixture has no HANDLES.')
  return found
}

function isNamespace(value: unknown): value is DurableObjectNamespace {
  return typeof value === 'object' && value !== null && 'newUniqueId' in value
}

const readText: Exit['read'] = ({ message }) => message.result.content[0].text
const readLines: Exit['read'] = ({ lines }) => lines

const exits: readonly Exit[] = [
  {
    name: 'what a verb returns',
    say: (said) => callTool(noting(said, 'say')),
    read: readText,
  },
  {
    name: 'keys and values that a verb returns',
    say: (said) => callTool(notingDeeply(said)),
    read: ({ message }) => message.result.structuredContent.deep,
  },
  {
    name: 'the cause of a ToolError of a verb, in the log',
    into: 'log',
    say: (said) => callTool(noting(said, 'refuseWithCause')),
    read: readLines,
  },
  {
    name: 'the cause of a ToolError of a verb, in the reply',
    isSilent: true,
    say: (said) => callTool(noting(said, 'refuseWithCause')),
    read: readText,
  },
  {
    name: 'what a verb throws that is not an Error, in the log',
    into: 'log',
    say: (said) => callTool(noting(said, 'failPlainly')),
    read: readLines,
  },
  {
    name: 'the text of a ToolError of a verb',
    say: (said) => callTool(noting(said, 'refuse')),
    read: readText,
  },
  {
    name: 'the text of a ToolError of `start`',
    say: (said) => callTool(starting(said, 'refuse')),
    read: readText,
  },
  {
    name: 'an error of a verb, in the log',
    into: 'log',
    say: (said) => callTool(noting(said, 'fail')),
    read: readLines,
  },
  {
    name: 'an error of a verb, in the reply',
    isSilent: true,
    say: (said) => callTool(noting(said, 'fail')),
    read: readText,
  },
  {
    name: 'an error of `start`, in the log',
    into: 'log',
    say: (said) => callTool(starting(said, 'fail')),
    read: readLines,
  },
  {
    name: 'an error of `start`, in the reply',
    isSilent: true,
    say: (said) => callTool(starting(said, 'fail')),
    read: readText,
  },
  {
    name: 'why a state cannot be read, in the log',
    into: 'log',
    say: (said) => callTool(unreadable(said)),
    read: readLines,
  },
  {
    name: 'why a state cannot be read, in the reply',
    isSilent: true,
    say: (said) => callTool(unreadable(said)),
    read: readText,
  },
  {
    name: 'an error of `onExpire`, in the log',
    into: 'log',
    say: expire,
    read: readLines,
  },
  {
    // the platform logs unmasked what an alarm throws
    name: 'an error of `onExpire`, for the platform',
    isSilent: true,
    say: expire,
    read: ({ message }) => message,
  },
]

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
