/*
 * Codemods look for code in a text without a parser of TypeScript, which a project may not have. They must
 * not find it in comments and strings.
 */

const tokens =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/|[^]/y

/** Replaces what comments, strings, templates and regular expressions contain by spaces, at the same places. */
export function maskCode(text: string): string {
  let masked = ''
  tokens.lastIndex = 0
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const part = token[0] === '/' ? readRegularExpression(text, token.index, masked) : token[0]
    tokens.lastIndex = token.index + part.length
    masked += part.length > 1 ? maskPart(part) : part
  }
  return masked
}

/** Returns the regular expression that starts at a slash, or only the slash if it divides. */
function readRegularExpression(text: string, place: number, before: string): string {
  // after a value a slash divides
  const last = before.trimEnd().slice(-12)
  if (/[\w$)\]}]$/.test(last) && !/\b(?:return|typeof|case|in|of|await)$/.test(last)) return '/'
  const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
  pattern.lastIndex = place
  return pattern.exec(text)?.[0] ?? '/'
}

function maskPart(part: string): string {
  const blank = part.replaceAll(/[^\n]/g, ' ')
  // the quotation marks show that there is a value
  return /^["'`]/.test(part) ? part[0] + blank.slice(1, -1) + part.at(-1) : blank
}

/** A member of an object literal, with places in the text. */
export interface LiteralMember {
  readonly name: string
  readonly start: number
  /** Where its value starts; `null` for shorthand, methods and spreads. */
  readonly valueStart: number | null
  readonly end: number
}

/** Returns the members of each object literal that is the first argument of a call of `name`. */
export function findArguments(masked: string, name: string): readonly (readonly LiteralMember[])[] {
  const calls = masked.matchAll(new RegExp(String.raw`(?<![\w$.])${name}\s*\(\s*\{`, 'g'))
  return [...calls].map(({ index, 0: call }) => readMembers(masked, index + call.length))
}

function readMembers(masked: string, start: number): readonly LiteralMember[] {
  const members: LiteralMember[] = []
  let depth = 0
  let from = start
  for (let place = start; place < masked.length && depth >= 0; place += 1) {
    const character = masked[place] ?? ''
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (depth < 0 || (depth === 0 && character === ',')) {
      members.push(...toMember(masked, from, place))
      from = place + 1
    }
  }
  return members
}

function toMember(masked: string, from: number, to: number): readonly LiteralMember[] {
  const text = masked.slice(from, to)
  const start = from + (text.length - text.trimStart().length)
  const end = from + text.trimEnd().length
  const [, name = '', colon = ''] =
    /^([A-Za-z_$][\w$]*)(\s*:\s*)?/.exec(masked.slice(start, end)) ?? []
  if (name === '') return []
  return [
    { name, start, valueStart: colon === '' ? null : start + name.length + colon.length, end },
  ]
}
