import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toDigest } from '../../util/digest.ts'
import { type Sealer, maxSealedLength } from '../../util/seal.ts'
import type { Call } from '../call.ts'
import type { Work } from '../work.ts'
import { type SavedResponse, type RoundState, isCarried } from './rounds.ts'
import { excerpt } from '../../util/excerpt.ts'

/** Milliseconds that a user has for the questions of one round. */
export const roundLifetime = 600_000

/** The request that a state belongs to: it does not open for any other request, caller or server. */
export interface StateOwner {
  /** The name of the server, since several may share a `STATE_KEY`. */
  readonly server: string
  readonly method: string
  readonly name: string
  readonly input: JsonObject
  /** The digest of the caller; empty for an anonymous one. */
  readonly caller: string
}

/** Returns the text to which a state is bound. Its length does not depend on the arguments. */
export async function toBound({
  server,
  method,
  name,
  input,
  caller,
}: StateOwner): Promise<string> {
  return toDigest([server, method, name, input, caller])
}

type SealedState =
  | { readonly kind: 'sealed'; readonly requestState: string }
  | { readonly kind: 'too-large'; readonly length: number }

/** Seals a state, which the client must return within {@link roundLifetime} of `now`. */
export async function sealRoundState(
  sealer: Sealer,
  state: RoundState,
  bound: string,
  now: number,
): Promise<SealedState> {
  const requestState = await sealer.seal(toPacked(state, now + roundLifetime), bound)
  const { length } = requestState
  return length > maxSealedLength ? { kind: 'too-large', length } : { kind: 'sealed', requestState }
}

/**
 * Opens a sealed state (basic/patterns/mrtr, "Security Considerations"). Returns `null` for text
 * that was forged or changed, belongs to another request or caller, or has expired, without telling
 * these apart.
 */
export async function openRoundState(
  sealer: Sealer,
  requestState: string,
  bound: string,
  now: number,
): Promise<RoundState | null> {
  return readPacked(await sealer.open(requestState, bound), now)
}

// pairs, not objects: a key may be any text, even `__proto__`
function toPacked({ round, nonce, asked, saved }: RoundState, expires: number): object {
  const responses = [...saved].map(([key, { digest, response }]) => [key, digest, response])
  return { expires, round, nonce, asked: [...asked], kept: responses }
}

/** Checks the structure, since an older version may have sealed the state. */
function readPacked(packed: unknown, now: number): RoundState | null {
  if (!isJsonObject(packed)) return null
  const { expires, round, nonce } = packed
  if (typeof expires !== 'number' || expires <= now) return null
  if (typeof round !== 'number' || typeof nonce !== 'string') return null
  const asked = readEntries(packed['asked'], readAsked)
  const saved = readEntries(packed['kept'], readSaved)
  return asked === null || saved === null ? null : { round, nonce, asked, saved }
}

type Entry<Value> = readonly [key: string, value: Value]

function readEntries<Value>(
  packed: unknown,
  read: (entry: readonly unknown[]) => Entry<Value> | null,
): ReadonlyMap<string, Value> | null {
  if (!Array.isArray(packed)) return null
  const entries = packed.map((entry: unknown) => (Array.isArray(entry) ? read(entry) : null))
  return entries.every((entry) => entry !== null) ? new Map(entries) : null
}

function readAsked([key, digest]: readonly unknown[]): Entry<string> | null {
  return typeof key === 'string' && typeof digest === 'string' ? [key, digest] : null
}

function readSaved([key, digest, response]: readonly unknown[]): Entry<SavedResponse> | null {
  if (typeof key !== 'string' || typeof digest !== 'string') return null
  return response === undefined ? null : [key, { digest, response }]
}

/**
 * Returns a sentence about the longest part of a state that is too long. Answers are for the user
 * to shorten; the other parts are for the author, and are logged as well.
 */
export async function explainTooLong(
  { call, name }: Pick<Work, 'name'> & { readonly call: Pick<Call, 'method' | 'log'> },
  { asked, saved }: RoundState,
): Promise<string> {
  const parts = await Promise.all(
    Array.from(saved, async ([key, { digest, response }]) => {
      const { length } = JSON.stringify(response)
      return { key, length, isAnswer: !(await isCarried(key, digest)) }
    }),
  )
  const answers = parts.filter(({ isAnswer }) => isAnswer)
  const carried = parts.filter(({ isAnswer }) => !isAnswer)
  // each question adds its key and a digest of 43 characters
  const questions = Array.from(asked, ([key]) => ({ key, length: key.length + 50 }))
  const most = Math.max(total(answers), total(carried), total(questions))
  if (total(answers) === most) {
    return (
      `${excerpt(name)} was ended: the answers are too long to be sealed, above all ` +
      `${toLongest(answers)}. Answer in fewer words.`
    )
  }
  const fault =
    total(carried) === most
      ? `its carried values are too long, above all ${toLongest(carried)}`
      : `it asks ${asked.size} questions at once, which is too many`
  const room = `At most ${maxSealedLength} characters fit once sealed, which is about 5,900 bytes of JSON.`
  call.log.warn(`${call.method} ${name}`, `${fault}. ${room}`)
  return `${excerpt(name)} was ended because of a fault on the server, not in your answers: ${fault}.`
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
