import { createHash, randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuthKind, Choices, ConfigFormat } from './choices.ts'
import { toClientFiles } from './clients.ts'
import type { PackageManager } from './package-manager.ts'
import { toAgentsFile, toReadme } from './readme.ts'
import { type Dependency, versions } from './versions.ts'
import { toWorkerSource } from './worker-source.ts'
import { toWranglerConfig } from './wrangler-config.ts'

export interface ProjectOptions extends Choices {
  /** The name of the package, of the server and of the Worker. */
  readonly name: string
  readonly manager: PackageManager
}

/** The texts of all files of a project, by their paths. */
export async function createFiles(options: ProjectOptions): Promise<ReadonlyMap<string, string>> {
  const { name, auth, template, config, clients, manager } = options
  const buildCommand = manager.exec('helve build')
  return new Map([
    ['package.json', toManifest(options)],
    [`wrangler.${config}`, toWranglerConfig({ name, auth, buildCommand }, config)],
    ['src/worker.ts', toWorkerSource({ name, template, auth })],
    ...(await readTemplate('common')),
    ...(await readTemplate(template)),
    ...(auth === 'oauth-provider' ? await readTemplate(auth) : []),
    ...(auth === 'none' ? [] : await readTemplate('signed-in')),
    ['vitest.config.ts', toVitestConfig(config, auth)],
    ['.gitignore', gitIgnored],
    ...toSecretFiles(auth),
    ['README.md', toReadme(options)],
    ['AGENTS.md', toAgentsFile(options)],
    ...toClientFiles(clients, name, auth),
  ])
}

// beside `dist` of the package, and beside `src` in the repository
const templateFolder = join(import.meta.dirname, '../templates')

async function readTemplate(name: string): Promise<readonly (readonly [string, string])[]> {
  const folder = join(templateFolder, name)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async (path) => {
      const relative = path.slice(folder.length + 1).replaceAll('\\', '/')
      return [relative, await readFile(path, 'utf8')] as const
    }),
  )
}

/** npm leaves a file of this name out of packages, so it cannot be a template. */
const gitIgnored = `node_modules/
.wrangler/
.helve/
.dev.vars
worker-configuration.d.ts
`

function toManifest({ name, auth }: ProjectOptions): string {
  const own: readonly Dependency[] = ['helve', 'zod']
  const ownOfAuth: readonly Dependency[] =
    auth === 'oauth-provider' ? ['@cloudflare/workers-oauth-provider'] : []
  const tools: readonly Dependency[] = [
    '@cloudflare/vitest-plugin',
    'typescript',
    'vite',
    'vitest',
    'wrangler',
  ]
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: 'helve dev',
      test: 'helve build && vitest run',
      types: 'helve build && wrangler types && tsc',
      check: 'helve check',
      deploy: 'wrangler deploy',
    },
    dependencies: toVersions([...own, ...ownOfAuth]),
    devDependencies: toVersions(tools),
    engines: { node: '>=22' },
    // npm asks before it runs what these two run when they are installed
    allowScripts: { esbuild: true, workerd: true },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function toVersions(names: readonly Dependency[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.toSorted().map((name) => [name, versions[name]]))
}

function toVitestConfig(config: ConfigFormat, auth: AuthKind): string {
  const bindings = `      // in place of the secret: nobody has a key
      miniflare: { bindings: { API_KEYS: '[]' } },
`
  return `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

// tests run inside workerd, with the Worker and all that wrangler.${config} has
export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.${config}' },
${auth === 'api-keys' ? bindings : ''}    }),
  ],
})
`
}

/** What `wrangler dev` reads as secrets, and its example, which git keeps. */
function toSecretFiles(auth: AuthKind): readonly (readonly [string, string])[] {
  if (auth !== 'api-keys') return [['.dev.vars.example', secretsExample]]
  const key = randomBytes(32).toString('hex')
  const digest = createHash('sha256').update(key).digest('hex')
  return [
    ['.dev.vars', `# the key of this line: ${key}\n${toKeysLine(digest)}\n`],
    ['.dev.vars.example', `${secretsExample}\n${keysExample}\n${toKeysLine('...')}\n`],
  ]
}

function toKeysLine(digest: string): string {
  return `API_KEYS='[{"digest":"${digest}","subject":"me"}]'`
}

const secretsExample = `# Copy this file to .dev.vars, which git ignores, to set secrets for \`wrangler dev\`.

# Encrypts answers that clients keep between two rounds of questions; without it the server creates a key.
# openssl rand -base64 32
# STATE_KEY="..."
`

const keysExample = `# Who may call. Create a key, and its digest:
# KEY=$(openssl rand -hex 32); echo $KEY; printf %s "$KEY" | sha256sum`
