/** The options of one `createWorker({ ... })`, as far as code tells without being run. */
export interface LiteralOptions {
  /** The source of each value, by the name of the option. */
  readonly sources: ReadonlyMap<string, string>
  /** Whether a spread may bring other options. */
  readonly isOpen: boolean
}

/**
 * Reads the options of each call of createWorker with an object literal, in code that esbuild has printed,
 * and so without comments.
 */
export function readLiteralOptions(code: string): readonly LiteralOptions[] {
  return [...code.matchAll(/\bcreateWorker\(\{/g)].map(({ index, 0: call }) => {
    const members = splitMembers(code.slice(index + call.length))
    const sources = members.flatMap((member) => {
      const [, quoted, plain, value = ''] = memberPattern.exec(member) ?? []
      const name = quoted ?? plain
      return name === undefined ? [] : [[name, value.trim()] as const]
    })
    return {
      sources: new Map(sources),
      isOpen: members.some((member) => member.trim().startsWith('...')),
    }
  })
}

// `name: value`, `"name": value`, `name` and `name() {}`
const memberPattern = /^\s*(?:"([^"\\]+)"|([\w$]+))\s*(?::([^]*))?/
const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^]/g

/** Splits the members of an object literal, from after its brace to its end. */
function splitMembers(code: string): readonly string[] {
  const members = ['']
  let depth = 0
  for (const [part] of code.matchAll(tokens)) {
    if (part === ')' || part === ']' || part === '}') depth -= 1
    if (depth < 0) break
    if (part === '(' || part === '[' || part === '{') depth += 1
    if (depth === 0 && part === ',') members.push('')
    else members[members.length - 1] += part
  }
  return members
}
