import { createHash } from 'node:crypto'
import type { Bindings } from '../define/registry.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Inspection } from './inspect.ts'
import type { Entry, Section } from './kinds/evaluated.ts'

/** The sections in the order in which they are written. */
const sections = Object.keys({
  tools: true,
  resources: true,
  prompts: true,
  handles: true,
} satisfies Record<Section, true>)

/**
 * Writes the registry module: per section its entries, sorted by key in code-unit order, each with
 * an `import()` of its module. wrangler's bundler keeps those lazy, so a Worker starts without them.
 *
 * @param toSpecifier tells what to import for a file, seen from where the registry will lie.
 */
export function toRegistrySource(
  { entries, code }: Pick<Inspection, 'entries' | 'code'>,
  bindings: Bindings,
  toSpecifier: (file: string) => string,
): string {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const lists = sections.map((section) => {
    const own = sorted.filter((entry) => entry.section === section)
    const lines = own.map((entry) => toEntrySource(entry, toSpecifier(entry.file)))
    return lines.length === 0 ? `  ${section}: [],` : `  ${section}: [\n${lines.join('\n')}\n  ],`
  })
  const imports = entries.some(({ usesJsonSchema }) => usesJsonSchema)
    ? "import type { Registry } from 'helve'\nimport 'helve/json-schema'\n"
    : "import type { Registry } from 'helve'\n"
  return `// Written by \`helve build\`. Change the tools, not this file.
${imports}
export const registry: Registry = {
  digest: ${toLiteral(toDigest(sorted))},
  code: ${toLiteral(code)},
  bindings: ${toLiteral(bindings)},
${lists.join('\n')}
}
`
}

function toEntrySource({ members }: Entry, specifier: string): string {
  const lines = Object.entries(members).map(([key, value]) => `      ${key}: ${toLiteral(value)},`)
  const load = `      load: () => import(${toLiteral(specifier)}),`
  return ['    {', ...lines, load, '    },'].join('\n')
}

/** A digest of all that a client may see. */
function toDigest(entries: readonly Entry[]): string {
  const seen = JSON.stringify(entries.map(({ section, members }) => [section, members]))
  return createHash('sha256').update(seen).digest('base64url')
}

/** Writes a JSON value as the source code of this project would: single quotes, bare keys. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return toText(value)
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${key}: ${toLiteral(member)}`)
  return `{ ${members.join(', ')} }`
}

function toText(value: string): string {
  const escaped = value.replaceAll(/[\\']/g, '\\$&')
  return `'${escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}
