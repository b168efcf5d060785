import type { Question, Questions } from '../../define/question.ts'
import { toDigest } from '../../kit/digest.ts'

/** A question with what makes it this question and no other. */
export interface Identified {
  readonly key: string
  readonly question: Question<unknown>
  /** Changes with the key and with every word of what the client is asked, and with nothing else. */
  readonly digest: string
}

/** Takes apart what `ask` returned; what is `undefined` is not asked. */
export async function identify(questions: Questions): Promise<readonly Identified[]> {
  return Promise.all(
    Object.entries(questions).flatMap(([key, question]) =>
      question === undefined ? [] : [identifyOne(key, question)],
    ),
  )
}

/** Tells a value that was carried from a response, by the digest under which it is kept. */
export async function isCarried(key: string, digest: string): Promise<boolean> {
  return digest === (await toDigest([key, null]))
}

async function identifyOne(key: string, question: Question<unknown>): Promise<Identified> {
  return { key, question, digest: await toDigest([key, question.request]) }
}
