import { expect, test } from 'vitest'
import { createInstalledProject } from './installed-project.ts'

// the options of Cloudflare's templates, but with the types of libraries checked as well
const tsconfig = (types: string): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024'],
      module: 'es2022',
      moduleResolution: 'bundler',
      types: [types],
      resolveJsonModule: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      isolatedModules: true,
      esModuleInterop: true,
      strict: true,
      skipLibCheck: false,
    },
    include: ['src', 'tools', '.helve'],
  })

const client = `import { ClientError, createClient, type Client } from 'helve/client'

export async function ask(url: URL, fetch: (request: Request) => Promise<Response>) {
  const client: Client = createClient({ url, fetch, answers: { confirm: { pay: true } } })
  for await (const notified of client.listen({ toolsListChanged: true })) {
    if (notified.kind === 'resourceUpdated') return notified.uri
  }
  const { content } = await client.callTool('hello', { who: 'Ada' }).catch((error) => {
    if (error instanceof ClientError) console.log(error.reason, error.headers?.get('Retry-After'))
    throw error
  })
  const [first] = content
  return first?.type === 'text' ? first.text : null
}
`

const files = {
  'wrangler.jsonc': JSON.stringify({
    name: 'hello',
    main: 'src/index.ts',
    compatibility_date: '2026-11-02',
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Handles', 'Hub', 'Bridge'] }],
    ratelimits: [{ name: 'CALLS', namespace_id: '1', simple: { limit: 10, period: 60 } }],
    build: { command: 'npx helve build', watch_dir: 'tools' },
  }),
  'tools/hello.ts': `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Says hello.',
  input: z.object({ who: z.string() }),
  output: z.object({ text: z.string() }),
  run: ({ input }) => ({ text: \`Hello, \${input.who}\` }),
})
`,
  // JavaScript without types
  'tools/script.js': `import { defineTool } from 'helve'

export default defineTool({ description: 'Is JavaScript.', run: () => 'done' })
`,
  'tools/plain.ts': `import { defineTool } from 'helve'

export default defineTool({
  description: 'Has a plain JSON Schema.',
  input: { type: 'object', properties: { who: { type: 'string', pattern: '^a' } } },
  run: ({ input }) => JSON.stringify(input),
})
`,
  'src/auth.ts': `import { apiKeys } from 'helve/auth/api-keys'
import { cloudflareAccess } from 'helve/auth/cloudflare-access'
import { custom } from 'helve/auth/custom'
import { introspection } from 'helve/auth/introspection'
import { jwt } from 'helve/auth/jwt'
import { oauthProvider } from 'helve/auth/oauth-provider'
import { optionalAuth } from 'helve/auth/optional-auth'

export const others = [apiKeys, cloudflareAccess, custom, introspection, oauthProvider]
export const auth = optionalAuth(jwt({ issuer: 'https://auth.example.com' }))
`,
  'src/typed.ts': `import type worker from './index.ts'

type Tools = NonNullable<(typeof worker.fetch)['~types']>['tools']
type Arguments = NonNullable<Tools['hello']['~types']>['arguments']
export const hello: Arguments = { who: 'ada' }
`,
  'src/ask.ts': client,
  'src/index.ts': `import { createWorker } from 'helve'
import { registry } from '../.helve/registry.ts'
import { auth } from './auth.ts'

const worker = createWorker({ name: 'hello', version: '1.0.0', registry, auth })
export const { Handles, Hub, Bridge, Listings } = worker
export default worker satisfies ExportedHandler<Cloudflare.Env>
`,
}

// the types of the bindings name the Worker, which has the type of this tool
const bound = {
  'tools/bound.ts': `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Uses a binding.',
  input: z.object({ name: z.string() }),
  limit: 'CALLS',
  async run({ input, env }) {
    const { success } = await env.CALLS.limit({ key: input.name })
    return String(success)
  },
})
`,
}

test('a project that has the package builds, has no type errors and can be deployed', async () => {
  const types = './worker-configuration.d.ts'
  const project = await createInstalledProject({
    ...files,
    ...bound,
    'tsconfig.json': tsconfig(types),
  })
  expect(await project.run('helve', 'build')).toBe('helve: 4 tools in .helve/registry.ts\n')
  await project.run('wrangler', 'types')
  expect(await project.run('tsc', '-p', '.')).toBe('')
  expect(await project.run('wrangler', 'deploy', '--dry-run')).toContain('--dry-run: exiting now.')
})

test('so has one with @cloudflare/workers-types', async () => {
  const types = '@cloudflare/workers-types'
  const project = await createInstalledProject({ ...files, 'tsconfig.json': tsconfig(types) }, [
    'wrangler',
    'zod',
    'typescript',
    types,
  ])
  expect(await project.run('helve', 'build')).toContain('3 tools')
  expect(await project.run('tsc', '-p', '.')).toBe('')
})

test.each([
  ['of Node', ['node'], ['es2024']],
  ['of browsers', [], ['es2024', 'dom', 'dom.iterable']],
])('the client has no type errors with the types %s', async (_, types, lib) => {
  const options = { ...JSON.parse(tsconfig('')).compilerOptions, types, lib }
  const project = await createInstalledProject(
    {
      'src/ask.ts': client,
      'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
    },
    ['typescript', '@types/node'],
  )
  expect(await project.run('tsc', '-p', '.')).toBe('')
})

test('the installed commands ask a server', async () => {
  const project = await createInstalledProject({})
  await expect(project.run('helve', 'list', 'http://127.0.0.1:1/mcp')).rejects.toThrow(
    'There is no response from http://127.0.0.1:1',
  )
})
