import { maxSealedLength } from '../../kit/seal.ts'
import { isCarried } from './identified-question.ts'
import { logNotice } from '../../kit/incident.ts'
import type { RoundState } from './round-state.ts'

/**
 * Says what makes a state too long to be sent: answers are for the user to shorten, all else is for
 * the author, and goes to the log as well.
 */
export async function explainTooLong(
  { method, name }: { readonly method: string; readonly name: string },
  { asked, kept }: RoundState,
): Promise<string> {
  const parts = await Promise.all(
    Array.from(kept, async ([key, { digest, response }]) => {
      const { length } = JSON.stringify(response)
      return { key, length, isAnswer: !(await isCarried(key, digest)) }
    }),
  )
  const answers = parts.filter(({ isAnswer }) => isAnswer)
  const carried = parts.filter(({ isAnswer }) => !isAnswer)
  // a question takes its key and a digest of 43 characters
  const questions = Array.from(asked, ([key]) => ({ key, length: key.length + 50 }))
  const most = Math.max(total(answers), total(carried), total(questions))
  if (total(answers) === most) {
    return (
      `${name} was ended: the answers are too long to be carried on, above all ` +
      `${toLongest(answers)}. Answer in fewer words.`
    )
  }
  const fault =
    total(carried) === most
      ? `what it carries on is too long, above all ${toLongest(carried)}`
      : `it asks ${asked.size} questions at once, more than it can keep track of`
  logNotice(`${method} ${name}`, `${fault}. At most ${maxSealedLength} characters fit once sealed.`)
  return `${name} was ended by a fault on the server, not of your answers: ${fault}.`
}

interface Part {
  readonly key: string
  readonly length: number
}

function total(parts: readonly Part[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

function toLongest(parts: readonly Part[]): string {
  const [longest] = parts.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? '' : `"${longest.key}" with ${longest.length} characters`
}
