import { expect, test } from 'vitest'
import { createInstalledProject } from './installed-project.ts'

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'es2022',
    moduleResolution: 'bundler',
    types: ['@cloudflare/workers-types', '@cloudflare/vitest-plugin/types', 'node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
  },
  include: ['src', 'tools', 'test', '.helve'],
})

const files = {
  'tsconfig.json': tsconfig,
  'wrangler.jsonc': JSON.stringify({
    name: 'notes',
    main: 'src/index.ts',
    compatibility_date: '2026-11-02',
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Handles', 'Hub', 'Bridge'] }],
    build: { command: 'npx helve build', watch_dir: 'tools' },
    vars: { GREETING: 'Hello' },
    d1_databases: [{ binding: 'DB', database_name: 'notes', database_id: 'notes' }],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'files' }],
  }),
  'migrations/0001_notes.sql': 'CREATE TABLE notes (text TEXT NOT NULL);\n',
  'src/env.d.ts': `declare namespace Cloudflare {
  interface Env {
    readonly GREETING: string
    readonly SIGNATURE: string
    readonly DB: D1Database
    readonly FILES: R2Bucket
  }
}
`,
  'src/index.ts': `import { createWorker } from 'helve'
import { apiKeys } from 'helve/auth/api-keys'
import { registry } from '../.helve/registry.ts'

const worker = createWorker({ name: 'notes', version: '1.0.0', registry, auth: apiKeys({ keys: 'KEYS' }) })
export const { Handles, Hub, Bridge, Listings } = worker
export default worker
`,
  'tools/pad.ts': `import { defineHandle } from 'helve'
import * as z from 'zod'

export default defineHandle({
  name: 'pad',
  scope: 'caller',
  idle: '1h',
  state: z.object({ lines: z.array(z.string()).default([]) }),
  start: () => ({}),
  verbs: { write: (state, line: string) => state.lines.push(line) },
  async onExpire({ state, env }) {
    await env.FILES.put('expired', state.lines.join())
  },
})
`,
  'tools/write.ts': `import { defineTool, form } from 'helve'
import * as z from 'zod'
import pad from './pad.ts'

export default defineTool({
  description: 'Writes a line.',
  scopes: ['notes:write'],
  uses: { pad },
  input: z.object({ line: z.string() }),
  output: z.object({ lines: z.int() }),
  ask: ({ input }) => ({ sure: form(\`Write \${input.line}?\`, z.object({ yes: z.boolean() })) }),
  run: async ({ input, use }) => ({ lines: await use.pad.write(input.line) }),
})
`,
  'tools/greet.ts': `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Greets.',
  input: z.object({ who: z.string() }),
  output: z.object({ text: z.string() }),
  run: ({ input, env }) => ({ text: \`\${env.GREETING}, \${input.who}\${env.SIGNATURE ?? ''}\` }),
})
`,
  'tools/save.ts': `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Saves a note.',
  input: z.object({ text: z.string() }),
  output: z.object({ notes: z.int() }),
  async run({ input, env }) {
    await env.DB.prepare('INSERT INTO notes VALUES (?)').bind(input.text).run()
    await env.FILES.put(input.text, input.text)
    return { notes: (await env.FILES.list()).objects.length }
  },
})
`,
}

const unit = (runner: string): string => `import { callTool } from 'helve/testing'
${runner}
import greet from '../tools/greet.ts'

test('greets', async () => {
  const { value } = await callTool(greet, { input: { who: 'Ada' }, env: { GREETING: 'Hi' } })
  equal(value.text, 'Hi, Ada')
})
`

const inVitest = `import { expect, test } from 'vitest'

const equal = (is: unknown, wanted: unknown): void => expect(is).toEqual(wanted)
`

const inNode = `import { test } from 'node:test'
import { deepEqual as equal } from 'node:assert/strict'
`

test('works in vitest with the plugin of Cloudflare', async () => {
  const project = await createInstalledProject(
    {
      ...files,
      'vitest.config.ts': `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
})
`,
      'test/unit.test.ts': unit(inVitest),
      'test/worker.test.ts': `import { env } from 'cloudflare:workers'
import { connect, ToolError } from 'helve/testing'
import { expect, test } from 'vitest'
import worker from '../src/index.ts'

test('writes lines of a caller, which expire', async () => {
  const ada = connect(worker, {
    caller: { subject: 'ada', scopes: 'notes:write' },
    answers: { sure: { yes: true } },
  })
  expect((await ada.tools.write({ line: 'a' })).value.lines).toBe(1)
  expect((await ada.tools.write({ line: 'b' })).value.lines).toBe(2)
  await ada.advance('2h')
  expect(await (await env.FILES.get('expired'))?.text()).toBe('a,b')
  expect((await ada.tools.write({ line: 'c' })).value.lines).toBe(1)
  await ada.close()
  const bob = connect(worker, { caller: 'bob' })
  await expect(bob.tools.write({ line: 'a' })).rejects.toMatchObject({ status: 403 })
  await expect(connect(worker).tools.greet({ who: 'me' })).rejects.toMatchObject({ status: 401 })
  // @ts-expect-error the argument has another name
  await expect(bob.tools.greet({ name: 'me' })).rejects.toThrow(ToolError)
})
`,
    },
    [
      'wrangler',
      'zod',
      'typescript',
      'vitest',
      'vite',
      '@cloudflare/vitest-plugin',
      '@cloudflare/workers-types',
      '@types/node',
    ],
  )
  await project.run('helve', 'build')
  expect(await project.run('tsc', '-p', '.')).toBe('')
  expect(await project.run('vitest', 'run')).toContain('2 passed')
})

test('works with the test runner of Node, for a tool and for a whole Worker', async () => {
  const project = await createInstalledProject(
    {
      ...files,
      'test/unit.test.ts': unit(inNode),
      'test/server.test.ts': `import { connect } from 'helve/testing'
import { startServer } from 'helve/testing/node'
import { after, before, test } from 'node:test'
import { deepEqual, rejects } from 'node:assert/strict'
import type { TestServer } from 'helve/testing/node'
import type { Definitions } from '../.helve/registry.ts'

let server: TestServer<Definitions>
before(async () => {
  server = await startServer<Definitions>({ secrets: { SIGNATURE: '!' } })
  await server.applyD1Migrations('DB')
})
after(() => server.close())

test('has vars, secrets, D1 and R2', async () => {
  const ada = connect(server, { caller: 'ada' })
  deepEqual((await ada.tools.greet({ who: 'Ada' })).value, { text: 'Hello, Ada!' })
  deepEqual((await ada.tools.save({ text: 'a' })).value, { notes: 1 })
  const { DB } = await server.getEnv()
  deepEqual((await DB.prepare('SELECT text FROM notes').all()).results, [{ text: 'a' }])
})

test('has handles, questions and time', async () => {
  const caller = { subject: 'ada', scopes: 'notes:write' }
  const ada = connect(server, { caller, answers: { sure: { yes: true } } })
  await ada.tools.write({ line: 'a' })
  deepEqual((await ada.tools.write({ line: 'b' })).value, { lines: 2 })
  await server.advance('2h')
  const { FILES } = await server.getEnv()
  deepEqual(await (await FILES.get('expired'))?.text(), 'a,b')
  deepEqual((await ada.tools.write({ line: 'c' })).value, { lines: 1 })
  await rejects(connect(server).tools.greet({ who: 'me' }), { status: 401 })
})
`,
    },
    [
      'wrangler',
      'zod',
      'typescript',
      '@cloudflare/workers-types',
      '@cloudflare/vitest-plugin',
      '@types/node',
    ],
  )
  await project.run('helve', 'build')
  expect(await project.run('tsc', '-p', '.')).toBe('')
  expect(await project.runNode('--test', 'test/**/*.test.ts')).toContain('fail 0')
})
