import { findClosing, findEndOfStatement } from './source-text.ts'

/** A text that is put into a module, at an index of its text. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** Returns the insertions that send requests for the MCP server to `worker`, which is declared after the imports. */
export type ToRoutes = (worker: string) => readonly Insertion[]

export interface ModuleText {
  readonly source: string
  readonly blanked: string
  readonly isTypeScript: boolean
  /** The indent of one level, and what ends a statement. */
  readonly indent: string
  readonly semicolon: string
}

/** The paths of the MCP server, as routers write them. Each also matches the path without an end. */
const paths = ['/mcp/*', '/.well-known/oauth-protected-resource/*']

/** Finds out how a module serves requests; `null` if in none of the ways that are understood. */
export function findRoutes(module: ModuleText): ToRoutes | null {
  return (
    findRouter(module, /^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*new\s+Hono\b/m, toHonoRoute) ??
    findRouter(
      module,
      /^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*(?:AutoRouter|IttyRouter|Router)\b/m,
      toIttyRoute,
    ) ??
    findPlain(module)
  )
}

type ToRoute = (router: string, path: string, worker: string) => string

const toHonoRoute: ToRoute = (router, path, worker) =>
  `${router}.all('${path}', (c) => ${worker}.fetch(c.req.raw, c.env, c.executionCtx))`

const toIttyRoute: ToRoute = (router, path, worker) =>
  `${router}.all('${path}', (request, env, ctx) => ${worker}.fetch(request, env, ctx))`

function findRouter(
  { source, blanked, semicolon }: ModuleText,
  pattern: RegExp,
  toRoute: ToRoute,
): ToRoutes | null {
  const match = blanked.match(pattern)
  if (match?.index === undefined) return null
  const [, router = ''] = match
  const isServed = new RegExp(
    String.raw`^export\s+default\s+(?:${router}\b(?!\.)|\{[^}]*\bfetch\s*:\s*${router}\.fetch\b|\{\s*\.\.\.${router}\b)`,
    'm',
  ).test(blanked)
  const end = findEndOfStatement(blanked, match.index)
  // such a router has routes before, or other paths
  const declared = blanked.slice(match.index, end)
  if (!isServed || /\)\s*\.\w+/.test(declared) || /\bbase\s*:/.test(declared)) return null
  const quote = source.includes("'") || !source.includes('"') ? "'" : '"'
  const toLine = (path: string, worker: string): string =>
    `${toRoute(router, path, worker)}${semicolon}\n`.replaceAll("'", quote)
  // before all others, which may catch every path
  return (worker) => [{ at: end, text: `\n${paths.map((path) => toLine(path, worker)).join('')}` }]
}

/** Finds `fetch` in the object that the module exports. */
function findPlain(module: ModuleText): ToRoutes | null {
  const { blanked, source, indent, semicolon, isTypeScript } = module
  const object = findExportedObject(blanked)
  if (object === null) return null
  const [start, end] = object
  const inside = blanked.slice(start, end)
  const match = inside.match(/(?<=[{,]\s*)(?:async\s+)?fetch\s*(?::\s*(?:async\s*)?)?(?=\()/)
  if (match?.index === undefined || !isAtTop(inside, match.index)) return null
  const open = start + match.index + match[0].length
  const close = findClosing(blanked, open)
  const isTyped = /^\s*satisfies\b/.test(blanked.slice(end + 1))
  const parameters = toParameters(source.slice(open + 1, close), isTypeScript, isTyped)
  const body = blanked.slice(close + 1).match(/^[^{};]*?(?:=>\s*)?\{/)
  if (parameters === null || body === null) return null
  const at = close + 1 + body[0].length
  const [, firstIndent] = blanked.slice(at).match(/^[ \t]*\n([ \t]*)/) ?? []
  // a body in one line is left alone
  if (firstIndent === undefined) return null
  const { names, text } = parameters
  const lineEnd = blanked.indexOf('\n', at) + 1
  const inBody = firstIndent.length > 0 ? firstIndent : indent.repeat(2)
  return (worker) => [
    { at: close, text },
    {
      at: lineEnd,
      text: `${inBody}if (isForMcp(${names[0]})) return ${worker}.fetch(${names.join(', ')})${semicolon}\n`,
    },
    { at: source.length, text: toPathCheck(module) },
  ]
}

function toPathCheck({ source, isTypeScript, indent, semicolon }: ModuleText): string {
  const [parameter, result] = isTypeScript ? ['request: Request', ': boolean'] : ['request', '']
  return `${source.endsWith('\n') ? '' : '\n'}
/** The endpoint of the MCP server, its lists, and the metadata with which clients sign in. */
function isForMcp(${parameter})${result} {
${indent}const { pathname } = new URL(request.url)${semicolon}
${indent}return /^\\/(mcp|\\.well-known\\/oauth-protected-resource)(\\/|$)/.test(pathname)${semicolon}
}
`
}

/** Finds where the object begins and ends that is the default export, or that it names. */
function findExportedObject(blanked: string): readonly [number, number] | null {
  const name = blanked.match(/^export\s+default\s+(\w+)\s*(?:;|satisfies\b[^\n]*)?$/m)?.[1]
  const pattern =
    name === undefined
      ? /^export\s+default\s+(?=\{)/m
      : new RegExp(String.raw`^(?:export\s+)?const\s+${name}\b[^=\n]*=\s*(?=\{)`, 'm')
  const match = blanked.match(pattern)
  if (match?.index === undefined) return null
  const start = match.index + match[0].length
  const end = findClosing(blanked, start)
  return end === -1 ? null : [start, end]
}

/** Whether an index is directly in the object, and not in one of its members. */
function isAtTop(object: string, index: number): boolean {
  const before = object.slice(1, index)
  const count = (brackets: RegExp): number => before.match(brackets)?.length ?? 0
  return count(/[([{]/g) === count(/[)\]}]/g)
}

interface Parameters {
  readonly names: readonly string[]
  /** What is added after those that are there. */
  readonly text: string
}

const all = [
  { name: 'request', type: 'Request' },
  { name: 'env', type: 'unknown' },
  { name: 'ctx', type: 'ExecutionContext' },
]

/** Reads the parameters of `fetch`, and adds those that are missing; `null` if they are not understood. */
function toParameters(text: string, isTypeScript: boolean, isTyped: boolean): Parameters | null {
  const given = text.trim() === '' ? [] : text.split(',')
  const names = given.map((parameter) => parameter.match(/^\s*(\w+)\s*(?::|$)/)?.[1] ?? '')
  // one that is destructured has no name, and the types of some have commas
  if (names.includes('') || names.length > all.length) return null
  const annotates = isTypeScript && (given.length === 0 ? !isTyped : text.includes(':'))
  const missing = all.slice(names.length).map(({ name, type }) => ({
    name: names.includes(name) ? `${name}2` : name,
    type: annotates ? `: ${type}` : '',
  }))
  const added = missing.map(({ name, type }) => `${name}${type}`).join(', ')
  return {
    names: [...names, ...missing.map(({ name }) => name)],
    text: given.length > 0 && added !== '' ? `, ${added}` : added,
  }
}
