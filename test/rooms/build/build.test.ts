import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build, check } from '../../../src/build/build.ts'
import { toReport } from '../../../src/build/report.ts'
import {
  createTemporaryProject,
  handleSource,
  moduleSource,
  toolSource,
} from './temporary-project.ts'

const resource = (uri: string): string =>
  moduleSource('defineResource', `uri: '${uri}', mime: 'text/plain', read: () => ''`)

/** Returns the refusals of one build of these files, by file. */
async function refusalsOf(
  files: Readonly<Record<string, string>>,
): Promise<Record<string, string[]>> {
  const project = await createTemporaryProject(files)
  const result = await check(project)
  const reasons: Record<string, string[]> = {}
  for (const { files, why } of result.kind === 'refused' ? result.refusals : []) {
    ;(reasons[files.join(' ')] ??= []).push(why)
  }
  return reasons
}

test('builds tools from folders, helpers, JSON, text files, zod and plain JSON Schema', async () => {
  const project = await createTemporaryProject({
    'tools/hello.ts': toolSource("input: z.object({ who: z.string().default('you') })"),
    'tools/billing/refund.ts': toolSource(
      "input: { type: 'object' }, hints: { destructive: true }",
    ),
    'tools/renamed.ts': toolSource("name: 'constructor'"),
    'tools/rates.ts': 'export const rates = { eur: 1 }',
    'tools/_own.ts': 'throw new Error("nobody loads this")',
    'tools/terms.ts': toolSource(
      'description: terms + data.note + rates.eur',
      `
      import terms from '../terms.txt'
      import data from '../data.json'
      import { rates } from './rates.ts'`,
    ),
    'terms.txt': "It's ours.",
    'data.json': '{"note":" Noted: "}',
  })
  expect(await build(project)).toMatchObject({ kind: 'good', wrote: '.helve/registry.ts' })

  const source = await readFile(join(project.out, 'registry.ts'), 'utf8')
  expect([...source.matchAll(/ name: '(.*)'/g)].map(([, name]) => name)).toEqual([
    'billing_refund',
    'constructor',
    'hello',
    'terms',
  ])
  expect(source).toContain("load: () => import('../tools/billing/refund.ts')")
  expect(source).toContain('"annotations":{"destructiveHint":true}')
  expect(source).toContain('"who":{"default":"you","type":"string"}')
  expect(source).toContain(String.raw`"description":"It\'s ours. Noted: 1"`)
})

test('prints the schemas of zod/mini, which cannot print themselves', async () => {
  const project = await createTemporaryProject({
    'tools/hello.ts': toolSource(
      "input: mini.object({ who: mini._default(mini.string(), 'you') })",
      "import * as mini from 'zod/mini'",
    ),
  })
  expect(await build(project)).toMatchObject({ kind: 'good' })
  const source = await readFile(join(project.out, 'registry.ts'), 'utf8')
  expect(source).toContain('"who":{"default":"you","type":"string"}')
})

test('builds the same text every time', async () => {
  const project = await createTemporaryProject({ 'tools/hello.ts': toolSource() })
  await build(project)
  const first = await readFile(join(project.out, 'registry.ts'), 'utf8')
  await build(project)
  expect(await readFile(join(project.out, 'registry.ts'), 'utf8')).toBe(first)
})

test('warns of patterns that match less text than the schema says', async () => {
  const project = await createTemporaryProject({
    'tools/a.ts': toolSource(
      String.raw`input: z.object({ open: z.string().regex(/^.+@.+\..+$/), once: z.string().regex(/^a+$/),
      short: z.string().max(500).regex(/^.+@.+\..+$/), mail: z.email(), list: z.array(z.string().regex(/\s+$/)) })`,
    ),
  })
  expect(await build(project)).toMatchObject({ kind: 'good' })
  expect(toReport(await build(project)).stderr).toBe(
    'Warning: tools/a.ts: text of more than 500 characters is refused at #/properties/open (^.+@.+\\..+$), ' +
      '#/properties/list/items (\\s+$), because the pattern may read it many times. Say so with a `maxLength` of ' +
      'at most 500, such as .max(500), or write a pattern that reads the text once.\n',
  )
})

test('names the modules that embed resources where there are none', async () => {
  const run = `run: () => embed({ uri: 'shop://a', text: 'a' }),`
  const project = await createTemporaryProject({
    'tools/plain.ts': toolSource(),
    'tools/embeds.ts': toolSource(run, "import {\n  embed,\n} from 'helve'"),
    'tools/by_hand.ts': toolSource(
      "run: () => ({ 'type': 'resource', resource: { uri: 'shop://a', text: 'a' } }),",
    ),
    'tools/namespace.ts': toolSource(run.replace('embed', 'h.embed'), "import * as h from 'helve'"),
    'tools/comment.ts': toolSource('', "// import { embed } from 'helve'\n/* type: 'resource' */"),
  })
  const warnings = [
    expect.stringMatching(
      /^tools\/by_hand\.ts, tools\/embeds\.ts, tools\/namespace\.ts: a resource is embedded/,
    ),
  ]
  expect(await build(project)).toMatchObject({ kind: 'good', warnings })
  const notes = moduleSource(
    'defineResource',
    "uri: 'shop://a', mime: 'text/plain', read: () => ''",
  )
  await project.write({ 'tools/notes.ts': notes })
  expect(await build(project)).toMatchObject({ kind: 'good', warnings: [] })
})

test('a refusal leaves the registry as it was', async () => {
  const project = await createTemporaryProject({ 'tools/hello.ts': toolSource() })
  await build(project)
  const registry = await readFile(join(project.out, 'registry.ts'), 'utf8')
  await project.write({ 'tools/hello.ts': toolSource("description: ''") })
  expect(await build(project)).toMatchObject({ kind: 'refused', stillServing: false })
  expect(await readFile(join(project.out, 'registry.ts'), 'utf8')).toBe(registry)
})

test('a project without tools builds an empty registry', async () => {
  const project = await createTemporaryProject({})
  expect(await build(project)).toMatchObject({ kind: 'good', entries: [] })
  expect(await readFile(join(project.out, 'registry.ts'), 'utf8')).toContain('tools: []')
})

test('one build reports the problems of every file, the broken ones first', async () => {
  const limits = '[[ratelimits]]\nname = "CALLS"\n'
  const reasons = await refusalsOf({
    'wrangler.toml': `compatibility_date = "2026-11-02"\n${limits}`,
    'tools/good.ts': toolSource(),
    'tools/syntax.ts': 'export default defineTool({',
    'tools/absent.ts': toolSource('', "import './nowhere.ts'"),
    'tools/renamed.ts': toolSource('', "import 'helve/access/optional'"),
    'tools/fetches.ts': toolSource('', "export const rates = await fetch('http://127.0.0.1:1/')"),
    'tools/forgets.ts': toolSource('', "fetch('http://127.0.0.1:1/').catch(() => {})"),
    'tools/rolls.ts': toolSource('description: crypto.randomUUID()'),
    'tools/waits.ts': toolSource('', 'setTimeout(() => {}, 1)'),
    'tools/throws.ts': toolSource('', "const limit = new URL('nowhere')"),
    'tools/limits.ts': toolSource("limit: 'CHECKOUTS', outputs: {}"),
    'tools/bad name.ts': toolSource(),
    'tools/one.ts': toolSource("name: 'same'"),
    'tools/two.ts': toolSource("name: 'same'"),
    'tools/empty.ts': toolSource('input: {}'),
    'tools/header.ts': toolSource(
      "input: z.object({ n: z.number().meta({ 'x-mcp-header': 'N' }) })",
    ),
  })
  const io = expect.stringContaining('Move it into `run`.')
  expect(reasons).toEqual({
    'tools/syntax.ts': [expect.stringMatching(/^tools\/syntax\.ts:1:28: /)],
    'tools/absent.ts': [expect.stringContaining('Could not resolve "./nowhere.ts"')],
    'tools/renamed.ts': [
      expect.stringMatching(
        /Could not resolve "helve\/access\/optional"\. .*import \{ optionalAuth \} from/,
      ),
    ],
    'tools/fetches.ts': [io],
    'tools/forgets.ts': [io],
    'tools/rolls.ts': [io],
    'tools/waits.ts': [io],
    'tools/throws.ts': [expect.stringContaining('Loading the module failed: ')],
    'tools/limits.ts': [
      expect.stringContaining('Bindings: CALLS.'),
      expect.stringContaining('`outputs` is not a tool option.'),
    ],
    'tools/bad name.ts': [expect.stringContaining('"bad name" is not a valid name')],
    'tools/one.ts tools/two.ts': [expect.stringContaining('the name "same"')],
    'tools/empty.ts': [expect.stringContaining('The input schema is empty.')],
    'tools/header.ts': [expect.stringContaining('x-mcp-header')],
  })
})

test('names the line at which a helper does I/O while it is loaded', async () => {
  const reasons = await refusalsOf({
    'tools/a.ts': toolSource('', "import { id } from './_id.ts'\nexport { id }"),
    'tools/_id.ts': '// made once\nexport const id = crypto.randomUUID()\n',
  })
  expect(reasons).toEqual({
    'tools/a.ts': [expect.stringMatching(/^tools\/_id\.ts:2:\d+: The module does I\/O/)],
  })
})

test('a module that never ends is named and the build ends', async () => {
  const reasons = await refusalsOf({
    'tools/a.ts': toolSource(),
    'tools/b.ts': toolSource('', 'for (;;) {}'),
  })
  expect(reasons).toEqual({ 'tools/b.ts': [expect.stringContaining('did not end')] })
})

test('ignores what a module logs while it is loaded', async () => {
  const project = await createTemporaryProject({
    'tools/a.ts': toolSource('', "console.log('helve {}'); console.log = () => {}"),
  })
  expect(await check(project)).toMatchObject({ kind: 'good', entries: [{ key: 'a' }] })
})

test('builds all four kinds, and names the tool that creates a handle', async () => {
  const project = await createTemporaryProject({
    'tools/basket.ts': handleSource("createdBy: 'new_basket'"),
    'tools/basket/open.ts': toolSource("name: 'new_basket'"),
    'tools/pay.ts': toolSource('uses: { basket }', "import basket from './basket.ts'"),
    'tools/catalog.ts': moduleSource(
      'defineResource',
      "uri: 'shop://all', mime: 'text/plain', read: () => ''",
    ),
    'tools/product.ts': moduleSource(
      'defineResource',
      "uri: 'shop://{sku}', mime: 'text/plain', params: mini.object({ sku: mini.enum(['a\\nb']) }), read: () => ''",
    ),
    'tools/plan.ts': moduleSource(
      'definePrompt',
      "description: 'Plans.', input: mini.object({ day: mini.enum(['Monday']) }), messages: () => ''",
    ),
  })
  expect(await build(project)).toMatchObject({ kind: 'good' })

  const source = await readFile(join(project.out, 'registry.ts'), 'utf8')
  expect(source).toMatch(
    /"basket":\{[^}]*as new_basket returned it[^}]*\}.*"required":\["basket"\]/,
  )
  expect(source).toContain(`  handles: [
    {
      name: 'basket',
      load: () => import('../tools/basket.ts'),
    },
  ],`)
  expect(source).toContain("arguments: [{ name: 'day', suggestions: ['Monday'] }]")
  expect(source).toContain("arguments: [{ name: 'sku', suggestions: ['a\\nb'] }]")
  expect([...source.matchAll(/ uri: '(.*)'/g)].map(([, uri]) => uri)).toEqual([
    'shop://all',
    'shop://{sku}',
  ])
})

test('refuses definitions that conflict, and names every file involved', async () => {
  const reasons = await refusalsOf({
    'tools/one.ts': resource('shop://products/{sku}'),
    'tools/two.ts': resource('shop://products/{id}'),
    'tools/three.ts': resource('shop://all'),
    'tools/four.ts': resource('shop://all'),
    'tools/basket.ts': handleSource("createdBy: 'nobody'"),
    'tools/cart.ts': handleSource("name: 'cart'"),
    'tools/crate.ts': handleSource("name: 'crate'"),
    'tools/_hidden.ts': handleSource("name: 'hidden'"),
    'tools/named.ts': handleSource("name: 'crate'").replace('default', 'const crate ='),
    'tools/uses.ts': toolSource('uses: { box }', "import box from './_hidden.ts'"),
    'tools/clash.ts': toolSource(
      'uses: { cart }, input: z.object({ cart: z.string() })',
      "import cart from './cart.ts'",
    ),
    'tools/form.ts': toolSource(
      'ask: () => ({ when })',
      "import { form } from 'helve'; const when = form('When?', z.object({ at: z.object({}) }))",
    ),
    'tools/prefix.ts': handleSource("name: 'pile', prefix: 'PILE'"),
  })
  expect(reasons).toEqual({
    'tools/one.ts tools/two.ts': [expect.stringContaining('These all match the same URIs')],
    'tools/four.ts tools/three.ts': [expect.stringContaining('have the URI "shop://all"')],
    'tools/basket.ts': [expect.stringContaining('`createdBy` is "nobody", but there is no tool')],
    'tools/cart.ts tools/crate.ts': [expect.stringContaining('the prefix "bsk"')],
    'tools/named.ts': [expect.stringContaining('It exports a handle as `crate`')],
    'tools/uses.ts': [expect.stringContaining('`uses.box` is not the default export of a module')],
    'tools/clash.ts': [
      expect.stringContaining('`input` has "cart", and `uses` adds an argument of the same name.'),
    ],
    'tools/form.ts': [
      expect.stringMatching(/^tools\/form\.ts:\d+:\d+: .*A form cannot have the field "at"/),
    ],
    'tools/prefix.ts': [
      expect.stringMatching(/^tools\/prefix\.ts:\d+:\d+: .*Invalid handle "pile": `prefix`/),
    ],
  })
})

test('names the module whose default export cannot be read', async () => {
  const proxy = 'new Proxy({}, { get() { throw new Error("No.") } })'
  const reasons = await refusalsOf({
    'tools/a.ts': `export default ${proxy}`,
    'tools/b.ts': toolSource(),
  })
  expect(reasons).toEqual({ 'tools/a.ts': ['The default export cannot be read: No.'] })
})

test('names the change of a built-in that the build cannot undo', async () => {
  const change =
    "Object.defineProperty(JSON, 'stringify', { value: () => '', configurable: false })"
  const reasons = await refusalsOf({
    'tools/a.ts': toolSource('', change),
    'tools/b.ts': toolSource(),
  })
  expect(reasons).toEqual({
    'tools/a.ts': [
      expect.stringContaining('The module changes JSON.stringify'),
      expect.stringContaining('The build cannot undo the change of JSON.stringify'),
    ],
  })
})

test('cuts the message of an error, and finds its line in a moment', async () => {
  const start = performance.now()
  const reasons = await refusalsOf({ 'tools/a.ts': "throw new Error('x'.repeat(200_000))" })
  const why = `tools/a.ts:1:7: Loading the module failed: ${'x'.repeat(2000)}…`
  expect(reasons).toEqual({ 'tools/a.ts': [why] })
  expect(performance.now() - start).toBeLessThan(8000)
})
