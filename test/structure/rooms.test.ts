import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/*
 * The architecture, held: a room may import only from those that stand below it in this list.
 */
const rooms = [
  'cli',
  'testing',
  'build',
  'index.ts',
  'index.node.ts',
  'worker.ts',
  'server.ts',
  'worker-settings.ts',
  'options.ts',
  'serve',
  'mcp',
  'cache',
  'auth',
  'state',
  'objects',
  'out',
  'define',
  'schema',
  'client',
  'protocol',
  'util',
]

interface SourceFile {
  /** The path in `src/`. */
  readonly file: string
  readonly text: string
}

const source = resolve(import.meta.dirname, '../../src')
const files: readonly SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.m?[jt]s$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))
/** What runs in a Worker, as a part of the server. */
const inWorker = files.filter(
  ({ file }) => !['cli', 'testing', 'build', 'client'].includes(roomOf(file)),
)

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

function lengthOf({ text }: SourceFile): number {
  return text.split('\n').length - 1
}

// imports of types count: who reads one file must not have to read the other first
function importsOf({ file, text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)]
    .map(([, target = '']) => relative(source, resolve(source, dirname(file), target)))
    .filter((target) => !target.startsWith('..'))
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

function toGraph(all: readonly SourceFile[], nameOf: (file: string) => string): Graph {
  const graph = new Map<string, Set<string>>()
  for (const entry of all) {
    const from = nameOf(entry.file)
    const targets = graph.get(from) ?? new Set()
    graph.set(from, targets)
    for (const target of importsOf(entry)) {
      if (nameOf(target) !== from) targets.add(nameOf(target))
    }
  }
  return graph
}

/** The nodes from which some way leads back to them. */
function findCircles(graph: Graph): readonly string[] {
  return [...graph.keys()].filter((start) => {
    const seen = new Set<string>()
    const open = [...(graph.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(graph.get(next) ?? []))
    }
    return seen.has(start)
  })
}

/** The names of values and types that several files declare and export, each with these files. */
function findSharedNames(all: readonly SourceFile[]): readonly string[] {
  const declaration =
    /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  const exported = all.flatMap(({ file, text }) => {
    // an overloaded function exports its name once for each signature
    const names = new Set(Array.from(text.matchAll(declaration), ([, name = '']) => name))
    return Array.from(names, (name) => ({ file, name }))
  })
  return [...Map.groupBy(exported, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
}

const itself = (file: string): string => file

describe('rooms', () => {
  test('are all in the list, and the list has no others', () => {
    const found = new Set(files.map(({ file }) => roomOf(file)))
    found.delete('env.d.ts')
    expect([...found].toSorted()).toEqual(rooms.toSorted())
  })

  test('import only from rooms below them', () => {
    const strays = files
      .flatMap((entry) => importsOf(entry).map((target) => ({ from: entry.file, target })))
      .filter(({ from, target }) => rooms.indexOf(roomOf(from)) > rooms.indexOf(roomOf(target)))
    expect(strays).toEqual([])
  })

  test('have no circles', () => {
    expect(findCircles(toGraph(files, roomOf))).toEqual([])
  })

  test('have no barrel files', () => {
    const barrels = files.filter(({ file }) => file.endsWith('/index.ts'))
    expect(barrels.map(({ file }) => file)).toEqual([])
  })

  test('of a stray import are found', () => {
    const stray = { file: 'util/a.ts', text: "import { x } from '../protocol/b.ts'\n" }
    expect(importsOf(stray)).toEqual(['protocol/b.ts'])
    expect(rooms.indexOf('util')).toBeGreaterThan(rooms.indexOf(roomOf('protocol/b.ts')))
    const back = { file: 'protocol/b.ts', text: "import type { X } from '../util/a.ts'\n" }
    expect(findCircles(toGraph([stray, back], roomOf))).toEqual(['util', 'protocol'])
  })
})

const shapes = 'protocol/revisions/'
const isShape = (file: string): boolean => /^protocol\/revisions\/\d{4}-/.test(file)

/** Imports of one revision's shape from elsewhere, and those that go from a newer one to an older. */
function findShapeStrays(all: readonly SourceFile[]): readonly string[] {
  return all.flatMap((entry) =>
    importsOf(entry)
      .filter(isShape)
      .filter((target) =>
        isShape(entry.file) ? entry.file > target : !entry.file.startsWith(shapes),
      )
      .map((target) => `${entry.file}: ${target}`),
  )
}

/** Files that run an author's code, and import what only older clients need. The pipeline decides by era. */
function findLegacyWork(all: readonly SourceFile[]): readonly string[] {
  return all
    .filter(({ text }) => /\bextends Work\b/.test(text))
    .filter((entry) => importsOf(entry).some((target) => target.startsWith('mcp/legacy/')))
    .map(({ file }) => file)
}

describe('revisions of the protocol', () => {
  test('have shapes that only their own folder reads, the older ones from the newer', () => {
    expect(files.filter(({ file }) => isShape(file)).length).toBeGreaterThan(2)
    expect(findShapeStrays(files)).toEqual([])
  })

  test.each([
    ['mcp/tools.ts', '../protocol/revisions/2025-06-18.ts'],
    ['protocol/revisions/2025-06-18.ts', './2025-03-26.ts'],
  ])('whose shape is read elsewhere are found: %s', (file, target) => {
    expect(findShapeStrays([{ file, text: `import { shape } from '${target}'\n` }])).toHaveLength(1)
  })

  test('are nothing to what runs the code of an author', () => {
    expect(findLegacyWork(files)).toEqual([])
    const text = "import { a } from './legacy/a.ts'\nexport class ToolWork extends Work {}\n"
    expect(findLegacyWork([{ file: 'mcp/tools.ts', text }])).toEqual(['mcp/tools.ts'])
  })
})

describe('files', () => {
  test('have no circles, types included', () => {
    expect(findCircles(toGraph(files, itself))).toEqual([])
  })

  test.each([
    ['of two', ["import type { B } from './b.ts'", "import { a } from './a.ts'"], 2],
    ['of three', ["import './b.ts'", "export * from './c.ts'", "await import('./a.ts')"], 3],
    ['of none', ["import './b.ts'\nimport './c.ts'", "import './c.ts'", ''], 0],
  ])('in circles are found: %s', (_, texts, count) => {
    const circle = texts.map((text, at) => ({ file: `util/${'abc'.charAt(at)}.ts`, text }))
    expect(findCircles(toGraph(circle, itself))).toHaveLength(count)
  })

  test('export no name that another file exports too', () => {
    expect(findSharedNames(files)).toEqual([])
  })

  test('that export one name twice are found', () => {
    const type = { file: 'mcp/a.ts', text: 'export interface Answers {}\n' }
    const value = { file: 'state/b.ts', text: 'export const Answers = 1\nexport const other = 2\n' }
    expect(findSharedNames([type, value])).toEqual(['Answers: mcp/a.ts, state/b.ts'])
  })

  test('have at most 350 lines', () => {
    const long = files.filter((file) => lengthOf(file) > 350)
    expect(long.map(({ file }) => file)).toEqual([])
  })

  test('are concepts: neither many small ones nor few large ones run in a Worker', () => {
    const lengths = inWorker.map(lengthOf).toSorted((a, b) => a - b)
    expect(lengths.length).toBeGreaterThanOrEqual(120)
    expect(lengths.length).toBeLessThanOrEqual(200)
    const median = lengths[Math.floor(lengths.length / 2)]
    expect(median).toBeGreaterThanOrEqual(60)
    expect(median).toBeLessThanOrEqual(150)
  })
})

/** What may be done in these places only, so that nothing leaves without being cleaned. */
interface Exit {
  readonly what: string
  readonly code: RegExp
  readonly where: readonly string[]
  /** A room that may do it as well. */
  readonly freeRoom?: string
  /** What would be a second one. */
  readonly seconds: readonly string[]
  /** What reads much like it. */
  readonly others: readonly string[]
}

const exits: readonly Exit[] = [
  {
    what: 'calls console',
    code: /\bconsole\b/,
    where: ['out/log.ts'],
    seconds: ['console.log(1)', "globalThis['console'].warn(1)", 'const { error } = console'],
    others: ['// never console.log', '/* the console */', 'consoles()'],
  },
  {
    what: 'prints JSON-RPC',
    code: /\bjsonrpc\b["'`\]]*\s*[:,}]/,
    where: ['out/print.ts'],
    seconds: [
      '`{"jsonrpc":"2.0","id":${id}}`',
      "JSON.stringify({ jsonrpc: '2.0', ...message })",
      "const message = { ['jsonrpc']: '2.0' }",
      'JSON.stringify({ jsonrpc, id })',
    ],
    others: ["if (value.jsonrpc !== '2.0') return", '\'`jsonrpc` must be "2.0".\''],
  },
  {
    what: 'prints server-sent events',
    code: /[`'"](?:data|event|id|retry): ?[$`'"]|`data:/,
    where: ['out/stream.ts'],
    seconds: ['`data: ${json}\\n\\n`', "'data: ' + json", '`event: ${name}`'],
    others: ['const data = 1', 'return { data: `${json}` }'],
  },
  {
    what: 'makes Responses',
    code: /\bResponse\s*\(|\bResponse\.\w+\(|\bextends Response\b|\bconstruct\(Response\b/,
    // `respond.ts` alone makes those of messages; those of objects are for their own Worker's WebSocket
    where: ['objects/bridge-object.ts', 'objects/hub-object.ts', 'serve/respond.ts'],
    // they go into the cache and come back as outcomes
    freeRoom: 'cache',
    seconds: [
      'return new Response(text)',
      'return Response.json({})',
      'class Reply extends Response {}',
    ],
    others: [
      'async function send(): Promise<Response> {',
      'toKeptResponse(filled)',
      '// not new Response(null)',
    ],
  },
  {
    what: 'makes Responses by the helpers of the router',
    code: /from 'itty-router(?!'|\/IttyRouter')|import \{(?! IRequest \})[^}]*\} from 'itty-router'/,
    where: [],
    seconds: ["import { json } from 'itty-router/json'", "import { error } from 'itty-router'"],
    others: [
      "import type { IRequest } from 'itty-router'",
      "import { IttyRouter } from 'itty-router/IttyRouter'",
    ],
  },
]

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')
}

function find({ code, freeRoom }: Exit, all: readonly SourceFile[]): readonly string[] {
  return all
    .filter(({ file, text }) => roomOf(file) !== freeRoom && code.test(withoutComments(text)))
    .map(({ file }) => file)
    .toSorted()
}

describe.each(exits)('what $what', (exit) => {
  test(`is ${exit.where.join(' and ') || 'nothing'}`, () => {
    expect(find(exit, inWorker)).toEqual(exit.where)
  })

  test.each(exit.seconds)('would be found in another file: %s', (code) => {
    const second = { file: 'util/second.ts', text: `export const x = 1\n${code}\n` }
    expect(find(exit, [...inWorker, second])).toEqual([...exit.where, second.file])
  })

  test.each(exit.others)('is not %s', (code) => {
    expect(find(exit, [{ file: 'util/other.ts', text: code }])).toEqual([])
  })
})

test('the hub answers with Responses only the request for its WebSocket', () => {
  const hub = inWorker.find(({ file }) => file === 'objects/hub-object.ts')?.text ?? ''
  const made = withoutComments(hub).match(/new Response\([^)]*\)/g) ?? []
  // two refusals without a body, which would keep the hub in memory until it was read
  expect(made).toEqual([
    'new Response(null, { status: 400 })',
    'new Response(null, { status: 429 })',
    expect.stringContaining('webSocket'),
  ])
})

test('every requirement in docs/specification.md names a test that exists', () => {
  const docs = resolve(source, '../docs')
  const page = readFileSync(join(docs, 'specification.md'), 'utf8')
  const rows = [...page.matchAll(/\]\((\.\.\/test\/spec\/[^)]+)\): (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(25)
  const lost = rows.filter(([, file = '', title = '']) => {
    return !readFileSync(join(docs, file), 'utf8').includes(title)
  })
  expect(lost.map(([, file, title]) => `${file}: ${title}`)).toEqual([])
})
