import { type LiteralMember, findArguments, maskCode } from './code-mask.ts'
import { type TextEdit, applyTextEdits, toLine } from './text-edit.ts'

/*
 * The renames of CHANGELOG.md. What cannot be renamed safely stays, and the build or the compiler says so.
 */

export interface Renamed {
  readonly code: 'renamed-import' | 'renamed-option' | 'renamed-type'
  readonly line: number
  readonly message: string
}

interface Rename extends Renamed {
  readonly edits: readonly TextEdit[]
}

/** Writes the names of today in a module that was written for an earlier version. */
export function renameInModule(text: string): {
  readonly text: string
  readonly renamed: readonly Renamed[]
} {
  const masked = maskCode(text)
  const renames = [...renameOptions(text, masked), ...renameImports(text, masked)]
  return {
    text: applyTextEdits(
      text,
      renames.flatMap(({ edits }) => edits),
    ),
    renamed: renames.map(({ code, line, message }) => ({ code, line, message })),
  }
}

function renameOptions(text: string, masked: string): readonly Rename[] {
  const definitions = ['defineTool', 'defineResource'].flatMap((name) =>
    findArguments(masked, name).flatMap((members) => {
      const fresh = members.find(({ name }) => name === 'fresh')
      if (fresh === undefined || members.some(({ name }) => name === 'cache')) return []
      return [toOptionRename(text, fresh, '`fresh` is now `cache`.', [renameKey(fresh)])]
    }),
  )
  return [
    ...definitions,
    ...findArguments(masked, 'createWorker').flatMap((members) =>
      renameCache(text, masked, members),
    ),
  ]
}

/** `fresh: { lists }` became `cache: { lists }`, and `cache: 'colo'` became `cache: { store: 'colo' }`. */
function renameCache(
  text: string,
  masked: string,
  members: readonly LiteralMember[],
): readonly Rename[] {
  const fresh = members.find(({ name }) => name === 'fresh')
  const cache = members.find(({ name }) => name === 'cache')
  const value = cache?.valueStart == null ? '' : text.slice(cache.valueStart, cache.end)
  const isStore = /^(?:false|'(?:colo|workers)'|"(?:colo|workers)")$/.test(value)
  const moved = '`cache` is now an object, and where results are cached is its `store`.'
  if (fresh === undefined) {
    if (cache?.valueStart == null || !isStore) return []
    const edit = { start: cache.valueStart, end: cache.end, text: `{ store: ${value} }` }
    return [toOptionRename(text, cache, moved, [edit])]
  }
  const message = '`fresh` is now `cache`.'
  if (cache === undefined) return [toOptionRename(text, fresh, message, [renameKey(fresh)])]
  const inner = /^\{([^{}]*?)(,?\s*)\}$/.exec(
    fresh.valueStart === null ? '' : masked.slice(fresh.valueStart, fresh.end),
  )
  // two options become one, if both are written out
  if (!isStore || inner === null) return []
  const [, members_ = '', end = ''] = inner
  const place = fresh.end - 1 - end.length
  const comma = members_.trim() === '' ? ' ' : ', '
  const after = /^\s*,?/.exec(masked.slice(cache.end))?.[0].length ?? 0
  const start = masked.slice(0, cache.start).trimEnd().length
  return [
    toOptionRename(text, fresh, message, [
      renameKey(fresh),
      { start: place, end: place, text: `${comma}store: ${value}` },
      { start, end: cache.end + after, text: '' },
    ]),
  ]
}

function renameKey({ start, valueStart }: LiteralMember): TextEdit {
  const text = valueStart === null ? 'cache: fresh' : 'cache'
  return { start, end: start + 'fresh'.length, text }
}

function toOptionRename(
  text: string,
  { start }: LiteralMember,
  message: string,
  edits: readonly TextEdit[],
): Rename {
  return { code: 'renamed-option', line: toLine(text, start), message, edits }
}

const modules: ReadonlyMap<string, string> = new Map([
  ['helve/access/optional', 'helve/auth/optional-auth'],
  ...['api-keys', 'cloudflare-access', 'custom', 'introspection', 'jwt', 'oauth-provider'].map(
    (name) => [`helve/access/${name}`, `helve/auth/${name}`] as const,
  ),
])

/** By the module of today. */
const exports: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  helve: { Running: 'RunContext', Asking: 'AskContext', Caching: 'CachedRunContext' },
  'helve/auth/optional-auth': { optional: 'optionalAuth' },
  'helve/auth/cloudflare-access': {
    access: 'cloudflareAccess',
    AccessOptions: 'CloudflareAccessOptions',
  },
  'helve/auth/custom': { Identity: 'IdentifiedCaller', Identify: 'IdentifyCaller' },
  'helve/auth/jwt': { Algorithm: 'SignatureAlgorithm' },
}

const imports = /\b(?:from|import)\s*\(?\s*(["'])(helve(?:\/[\w-]+)*)\1/g

function renameImports(text: string, masked: string): readonly Rename[] {
  return [...text.matchAll(imports)].flatMap(({ index, 0: found, 2: module = '' }) => {
    // in a comment or a string
    if (masked[index] !== text[index]) return []
    const current = modules.get(module) ?? module
    const start = index + found.length - 1 - module.length
    const line = toLine(text, start)
    const renames: Rename[] = []
    if (current !== module) {
      const message = `'${module}' is now '${current}'.`
      const edits = [{ start, end: start + module.length, text: current }]
      renames.push({ code: 'renamed-import', line, message, edits })
    }
    const names = exports[current] ?? {}
    return [...renames, ...renameNames(text, masked, index, names)]
  })
}

/** Renames what the braces before `from` name, and its uses. */
function renameNames(
  text: string,
  masked: string,
  end: number,
  names: Readonly<Record<string, string>>,
): readonly Rename[] {
  const clause = /\b(import|export)\s+(?:type\s+)?\{([^{}]*)\}\s*$/.exec(masked.slice(0, end))
  if (clause === null) return []
  const [, keyword, list = ''] = clause
  const start = masked.lastIndexOf('{', end) + 1
  return [...list.matchAll(/([\w$]+)(\s+as\s+[\w$]+)?\s*(?=,|$)/g)].flatMap((found) => {
    const [, name = '', alias] = found
    const renamed = Object.hasOwn(names, name) ? names[name] : undefined
    if (renamed === undefined) return []
    const place = start + found.index
    const uses =
      keyword === 'import' && alias === undefined ? findUses(masked, name, renamed) : null
    const others = uses?.filter((use) => use !== place) ?? []
    const keepsName = alias === undefined && uses === null
    const edits = [
      {
        start: place,
        end: place + name.length,
        text: keepsName ? `${renamed} as ${name}` : renamed,
      },
      ...others.map((use) => ({ start: use, end: use + name.length, text: renamed })),
    ]
    const message = `\`${name}\` is now \`${renamed}\`.`
    const code = /^[A-Z]/.test(name) ? 'renamed-type' : 'renamed-import'
    return [{ code, line: toLine(text, place), message, edits }] as const
  })
}

/** The places where a name stands for what was imported; `null` if one of them may mean something else. */
function findUses(masked: string, name: string, renamed: string): readonly number[] | null {
  if (new RegExp(String.raw`(?<![\w$])${renamed}(?![\w$])`).test(masked)) return null
  const uses = [
    ...masked.matchAll(new RegExp(String.raw`(?<![\w$]|(?<!\.\.)\.)${name}(?![\w$])`, 'g')),
  ]
  const [imported, ...others] = uses
  const isSafe = others.every(({ index }) => {
    const before = masked.slice(0, index).trimEnd()
    const after = masked.slice(index + name.length).trimStart()
    if (/\b(?:function|class|const|let|var|type|interface)$/.test(before)) return false
    // a key of an object, a shorthand, or a parameter of this name
    return /^[A-Z]/.test(name) ? !/^\??:/.test(after) : after.startsWith('(')
  })
  return isSafe && imported !== undefined ? uses.map(({ index }) => index) : null
}
