import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Bindings } from '../define/registry.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Entry, Section } from './evaluated.ts'
import type { Inspection } from './inspect.ts'

const sections = Object.keys({
  tools: true,
  resources: true,
  prompts: true,
  handles: true,
} satisfies Record<Section, true>)

/**
 * Returns the source of the registry: the entries of each section, sorted by key in code-unit order,
 * each with an `import()` of its module. wrangler's bundler keeps these lazy, so that a Worker starts
 * without them.
 *
 * @param toSpecifier returns the specifier that imports a file from the folder of the registry.
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
${toDefinitionTypes(sorted, toSpecifier)}
export const registry: Registry<Definitions> = {
  digest: ${toLiteral(toDigest(sorted))},
  code: ${toLiteral(code)},
  bindings: ${toLiteral(bindings)},
${lists.join('\n')}
}
`
}

/**
 * Returns an interface with the type of each definition. It costs nothing at run time, and the compiler
 * reads a module only where its type is used.
 */
function toDefinitionTypes(
  sorted: readonly Entry[],
  toSpecifier: (file: string) => string,
): string {
  const lists = typedSections.map((section) => {
    const own = sorted.filter((entry) => entry.section === section)
    const lines = own.map(({ key, file }) => {
      const specifier = toSpecifier(file)
      const line = `    readonly ${toKey(key)}: typeof import(${toLiteral(specifier)}).default`
      return isJavaScript(specifier) ? `    ${untyped}\n${line}` : line
    })
    return lines.length === 0
      ? `  readonly ${section}: {}`
      : `  readonly ${section}: {\n${lines.join('\n')}\n  }`
  })
  return `export interface Definitions {\n${lists.join('\n')}\n}\n`
}

/** A handle is used by tools, not by clients. */
const typedSections = ['tools', 'resources', 'prompts'] as const

function toEntrySource({ members }: Entry, specifier: string): string {
  const lines = Object.entries(members).map(([key, value]) => `      ${key}: ${toLiteral(value)},`)
  const load = `      load: () => import(${toLiteral(specifier)}),`
  const typed = isJavaScript(specifier) ? [`      ${untyped}`, load] : [load]
  return ['    {', ...lines, ...typed, '    },'].join('\n')
}

const untyped = '// @ts-ignore: JavaScript may have no types'

function isJavaScript(specifier: string): boolean {
  return /\.m?jsx?$/.test(specifier)
}

/** Computes the digest of everything that a client may see. */
function toDigest(entries: readonly Entry[]): string {
  const seen = JSON.stringify(entries.map(({ section, members }) => [section, members]))
  return createHash('sha256').update(seen).digest('base64url')
}

/** Converts a JSON value to source code with single quotes, and bare keys where it can. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return toText(value)
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${toKey(key)}: ${toLiteral(member)}`,
  )
  return `{ ${members.join(', ')} }`
}

function toKey(key: string): string {
  // as a plain key it would set the prototype
  if (key === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : toText(key)
}

function toText(value: string): string {
  const escaped = value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  // UTF-8 cannot represent half a surrogate pair
  return `'${escaped.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFEFF]/gu, toEscape)}'`
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/**
 * Writes a text file only if it changes, so that watchers do not wake for nothing. The file is renamed
 * into place, so that no reader sees half of it.
 */
export async function writeFileIfChanged(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => null)
  if (before === text) return
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
