import { isJsonObject } from '../wire/json.ts'
import type { AskingCapability, Question, Questions } from './question.ts'

/**
 * Reads what an author's `ask` returned. Whoever writes without types may return anything, and what
 * is not understood must stop the call: taken for "no questions", it would run unconfirmed.
 *
 * @throws {TypeError} for anything but an object of questions; the message is for the author.
 */
export function readQuestions(returned: unknown): Questions {
  if (!isJsonObject(returned)) {
    throw new TypeError(
      `\`ask\` returned ${toKind(returned)}, which is no object of questions. ` +
        'Return one, or {} where nothing is asked.',
    )
  }
  return Object.fromEntries(
    Object.entries(returned).map(([key, question]) => [key, readQuestion(key, question)]),
  )
}

function readQuestion(key: string, value: unknown): Question<unknown> | undefined {
  if (value === undefined || isQuestion(value)) return value
  throw new TypeError(
    `\`ask\` returned ${toKind(value)} under "${key}", which is no question. ` +
      'Make it with form, link, carry, sample or roots, or leave it undefined.',
  )
}

const capabilities: Readonly<Record<AskingCapability, true>> = {
  form: true,
  link: true,
  sample: true,
  roots: true,
}

function isQuestion(value: unknown): value is Question<unknown> {
  if (!isJsonObject(value) || typeof value['read'] !== 'function') return false
  const { request, carried, capability, unasked } = value
  if (request === null) return carried !== undefined
  if (!isJsonObject(request) || typeof request['method'] !== 'string') return false
  const isKnown = typeof capability === 'string' && Object.hasOwn(capabilities, capability)
  return isKnown && (unasked === 'ignore' || unasked === 'accept')
}

function toKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise'
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
