import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { check } from '../../../src/build/build.ts'
import { readWranglerConfig } from '../../../src/build/wrangler-config.ts'
import { loadNodeSupport } from '../../../src/build/wrangler-plugins.ts'
import { createTemporaryProject, toolSource } from './temporary-project.ts'

const root = join(import.meta.dirname, '../../..')

/** A tool that has the value of an expression as its description, for `descriptionsOf`. */
function describing(expression: string, before = ''): string {
  return toolSource(`description: String(${expression})`, before)
}

/** Returns the description of each tool, or why it was refused. */
async function descriptionsOf(
  files: Readonly<Record<string, string>>,
  prepare: (root: string) => Promise<void> = async () => {},
): Promise<Record<string, string>> {
  const project = await createTemporaryProject(files)
  await prepare(project.root)
  const result = await check(project)
  if (result.kind === 'refused') {
    return Object.fromEntries(result.refusals.map(({ files, why }) => [files.join(' '), why]))
  }
  const described = result.entries.map(({ key, members }) => {
    const { description } = JSON.parse(String(members['listed']))
    return [key, description] as const
  })
  return Object.fromEntries(described)
}

test('evaluates every import that wrangler bundles', async () => {
  const wasm = 'AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags='
  const found = await descriptionsOf(
    {
      'wrangler.toml': `compatibility_date = "2026-11-02"
tsconfig = "tsconfig.paths.json"
jsx_factory = "h"
[alias]
old-name = "./aliased.js"
[define]
VERSION = '"1.2.3"'
[[rules]]
type = "Text"
globs = ["**/*.md", "**/LICENSE"]
fallthrough = true
`,
      'tsconfig.paths.json': JSON.stringify({
        compilerOptions: { paths: { '~/*': ['./lib/*'], helve: [join(root, 'src/index.ts')] } },
      }),
      'aliased.js': "module.exports = { name: 'aliased' }",
      'lib/far.ts': "export const far = 'far'",
      'a.txt': 'text',
      'a.html': '<p>',
      'a.sql': 'select 1',
      'a.md': '# title',
      LICENSE: 'free',
      'a.json': '{"note":"json"}',
      'legacy.cjs': "exports.note = require('./a.json').note + require('events').EventEmitter.name",
      'shaped.js': "export const shaped = (h) => h && <b id='x' />",
      'tools/texts.ts': describing(
        '[txt, html, sql, md, license]',
        `import txt from '../a.txt'
import html from '../a.html'
import sql from '../a.sql'
import md from '../a.md'
import license from '../LICENSE'`,
      ),
      'tools/data.ts': describing(
        '[data instanceof ArrayBuffer, data.byteLength]',
        "import data from '../a.bin'",
      ),
      'tools/wasm.ts': describing(
        '[one, two].map((wasm) => new WebAssembly.Instance(wasm).exports.add(2, 3))',
        "import one from '../a.wasm'\nimport two from '../a.wasm?module'",
      ),
      'tools/source.ts': describing(
        'source instanceof WebAssembly.Module',
        "import source source from '../a.wasm'",
      ),
      // wrangler writes a style sheet beside the Worker, and does not upload it
      'a.css': 'a { color: red }',
      'tools/style.ts': describing('Object.keys(style).length', "import style from '../a.css'"),
      'tools/aliased.ts': describing('old.name', "import old from 'old-name'"),
      'tools/defined.ts': describing('VERSION'),
      'tools/paths.ts': describing('far', "import { far } from '~/far'"),
      'tools/json.ts': describing(
        '[json.note, legacy.note]',
        "import json from '../a.json'\nimport legacy from '../legacy.cjs'",
      ),
      'tools/jsx.ts': describing(
        'shaped((tag, { id }) => tag + id)',
        "import { shaped } from '../shaped.js'",
      ),
      'tools/platform.ts': describing(
        '[typeof connect, typeof DurableObject, join("a", "b"), EventEmitter.name, Buffer.from("x")]',
        `import { connect } from 'cloudflare:sockets'
import { DurableObject } from 'cloudflare:workers'
import { join } from 'path'
import { EventEmitter } from 'node:events'`,
      ),
      'tools/mode.ts': describing(
        '[process.env.NODE_ENV, navigator.userAgent, typeof process.nextTick, (function named() {}).name]',
      ),
    },
    async (root) => {
      await writeFile(join(root, 'a.bin'), new Uint8Array([1, 2, 255]))
      await writeFile(join(root, 'a.wasm'), Buffer.from(wasm, 'base64'))
    },
  )
  expect(found).toEqual({
    texts: 'text,<p>,select 1,# title,free',
    data: 'true,3',
    wasm: '5,5',
    source: 'true',
    style: '0',
    aliased: 'aliased',
    defined: '1.2.3',
    paths: 'far',
    json: 'json,jsonEventEmitter',
    jsx: 'bx',
    platform: 'function,function,a/b,EventEmitter,x',
    mode: `${process.env['NODE_ENV'] ?? 'production'},Cloudflare-Workers,function,named`,
  })
})

test.each([
  ['events', "import { EventEmitter } from 'events'", 'tools/a.ts'],
  ['node:events', "import { EventEmitter } from 'node:events'", 'tools/a.ts'],
  ['a required events', "import EventEmitter from '../legacy.cjs'", 'legacy.cjs'],
])(
  'says that %s needs nodejs_compat, where the date and the flags lack it',
  async (_, line, file) => {
    const found = await descriptionsOf({
      'wrangler.toml': 'compatibility_date = "2026-07-01"\n',
      'legacy.cjs': "module.exports = require('events').EventEmitter",
      'tools/a.ts': describing('EventEmitter', line),
    })
    const advice = expect.stringMatching(/Add "nodejs_compat" to compatibility_flags/)
    expect(found).toEqual({ [file]: advice })
  },
)

test.each([
  ['2024-09-23', '["nodejs_compat"]'],
  ['2025-01-01', '["nodejs_compat_v2"]'],
  ['2026-07-01', '["nodejs_compat"]'],
])('evaluates modules of Node at %s with %s', async (date, flags) => {
  const found = await descriptionsOf({
    'wrangler.toml': `compatibility_date = "${date}"\ncompatibility_flags = ${flags}\n`,
    'legacy.cjs': "exports.all = [require('fs'), require('node:os'), require('http'), process]",
    'tools/all.ts': describing(
      '[legacy.all.map((module) => typeof module), performance.now(), console.assert.name]',
      `import legacy from '../legacy.cjs'
import { performance } from 'perf_hooks'
import console from 'console'`,
    ),
  })
  expect(found).toEqual({ all: 'object,object,object,object,0,assert' })
})

test('refuses an import for which wrangler ignores the rule', async () => {
  const found = await descriptionsOf({
    'wrangler.toml': `compatibility_date = "2026-11-02"
[[rules]]
type = "Text"
globs = ["**/*.md"]
`,
    'a.txt': 'text',
    'tools/a.ts': describing('text', "import text from '../a.txt'"),
  })
  expect(found).toEqual({
    'tools/a.ts': expect.stringContaining('"../a.txt" matches the rule Text for **/*.txt'),
  })
})

test('imports cloudflare:workers in every way, and the other modules of the platform', async () => {
  const found = await descriptionsOf({
    'wrangler.toml': 'compatibility_date = "2026-11-02"\n[vars]\nA = "1"\n',
    'tools/_passed_on.ts':
      "export { env } from 'cloudflare:workers'\nexport * from 'cloudflare:workers'",
    'tools/named.ts': describing(
      '[env.A, typeof RpcTarget, JSON.stringify(env), Object.keys(env)]',
      "import { RpcTarget, env } from 'cloudflare:workers'\nclass Target extends RpcTarget {}",
    ),
    'tools/all.ts': describing(
      '[all.env.A, typeof all.waitUntil]',
      "import * as all from 'cloudflare:workers'",
    ),
    'tools/dynamic.ts': describing('env.A', "const { env } = await import('cloudflare:workers')"),
    'tools/passed.ts': describing(
      '[env.A, typeof DurableObject]',
      "import { DurableObject, env } from './_passed_on.ts'",
    ),
    'tools/others.ts': describing(
      '[typeof connect, typeof NonRetryableError, new EmailMessage("a", "b", "c").from]',
      `import { connect } from 'cloudflare:sockets'
import { NonRetryableError } from 'cloudflare:workflows'
import { EmailMessage } from 'cloudflare:email'`,
    ),
  })
  expect(found).toEqual({
    named: '1,function,{"A":"1"},A',
    all: '1,function',
    dynamic: '1',
    passed: '1,function',
    others: 'function,function,a',
  })
})

test('without wrangler in the project, modules of Node are those of workerd', async () => {
  const config = readWranglerConfig({ compatibility_date: '2026-11-02' })
  const { plugin, globals } = await loadNodeSupport('/nowhere', config)
  const { outputFiles } = await build({
    stdin: { contents: "export const all = [require('events'), require('node:fs')]" },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [plugin],
  })
  const [{ text } = { text: '' }] = outputFiles
  expect(text).toMatch(/import \w+ from "events";[^]*import \w+ from "node:fs";/)
  expect(text).not.toContain('Dynamic require')
  expect(globals).toBeNull()
})
