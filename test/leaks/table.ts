import { collect, type Exit, type Left } from './exit.ts'
import { poisons, type Poison } from './poisons.ts'

/** One test: its title, the way out, and what is said there. */
export type Row = readonly [title: string, exit: Exit, poison: Poison]

/** Every way out with everything that can come there. */
export function toRows(exits: readonly Exit[]): Row[] {
  return exits.flatMap((exit) =>
    poisons
      .filter(({ name }) => exit.takes?.includes(name) ?? true)
      .map((poison): Row => [`${exit.name}: ${toDeed(exit, poison)}`, exit, poison]),
  )
}

function toDeed(exit: Exit, { name, deed }: Poison): string {
  return isRefused(exit, name) ? 'is not reached by half a surrogate pair' : deed
}

function isRefused({ by }: Exit, name: Poison['name']): boolean {
  return by === 'client' && name === 'half'
}

/** Has a way out say a poison, and returns what is wrong with that which left; nothing where all is well. */
export async function findLeaks(exit: Exit, poison: Poison): Promise<readonly string[]> {
  const { name, text, left, gone } = poison
  const all = await collect(() => exit.say(text)).catch(fail)
  const said = exit.into === 'log' ? toTexts(all.lines) : toReplyTexts(all)
  const leaks = gone === '' ? [] : said.filter((part) => part.includes(gone))
  if (leaks.length > 0) return leaks.map((leak) => `It has left: ${show(leak)}`)
  if (isRefused(exit, name)) {
    return all.status === 400 ? [] : [`It was not refused, but answered with ${all.status}.`]
  }
  // not by its absence alone: a way out where nothing came out has shown nothing
  const place = exit.read(all)
  if (place === undefined || place === null) return ['Nothing has left.']
  const texts = toTexts(place)
  const spellings = exit.spell === undefined ? [left] : [left, exit.spell(text), exit.spell(left)]
  const isThere = exit.isSilent === true || holds(texts, spellings)
  return isThere ? [] : [`${show(left)} has not left, but ${texts.map(show).join(', ')}`]
}

function fail(error: unknown): never {
  // without the error as a cause: the report of tests breaks off at half a surrogate pair
  throw new Error(show(String(error)))
}

/** A text as a report of tests can carry it, and as a reader can see it. */
function show(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

function holds(texts: readonly string[], spellings: readonly string[]): boolean {
  return texts.some((text) => spellings.some((spelling) => text.includes(spelling)))
}

function toReplyTexts({ headers, messages }: Left): string[] {
  return toTexts([...headers].concat(...messages))
}

/** Every text and every key in a value, in JSON that is in a text, and in errors. */
function toTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...toTexts(readJson(value))]
  if (typeof value !== 'object' || value === null) return []
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    return [name, message, stack ?? '', ...toTexts(cause), ...toTexts(Object.entries(value))]
  }
  return Object.entries(value).flatMap(([key, part]) => [key, ...toTexts(part)])
}

function readJson(text: string): object | null {
  if (!/^[[{]/.test(text)) return null
  try {
    return Object(JSON.parse(text))
  } catch {
    return null
  }
}
