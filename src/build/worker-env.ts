import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'

/** What the Worker's `env` has, as far as files of the project say. */
export interface WorkerEnv {
  readonly vars: JsonObject
  /** A placeholder for each secret, by name: the build passes no secret to a module. */
  readonly secrets: Readonly<Record<string, string>>
  /** The bindings that workerd can create, as it writes them in its configuration. */
  readonly bindings: Readonly<Record<string, string>>
  /** The names of all other bindings. */
  readonly others: readonly string[]
}

/** Reads `env` from sections of wrangler.toml, the first of which decides. */
export function readWorkerEnv(sections: readonly JsonObject[]): WorkerEnv {
  const all = sections.toReversed()
  const found = all.flatMap((section) => Object.entries(section).flatMap(findBindings))
  const bindings = Object.fromEntries(
    found.flatMap(({ name, section }) => {
      const type = workerdTypes.get(section)
      return type === undefined ? [] : [[name, type] as const]
    }),
  )
  return {
    vars: Object.assign({}, ...all.map(({ vars }) => (isJsonObject(vars) ? vars : {}))),
    secrets: Object.fromEntries(
      all.flatMap(readRequiredSecrets).map((name) => [name, toPlaceholder(name)]),
    ),
    bindings,
    others: found.map(({ name }) => name).filter((name) => !Object.hasOwn(bindings, name)),
  }
}

function readRequiredSecrets({ secrets }: JsonObject): readonly string[] {
  const required = isJsonObject(secrets) ? secrets['required'] : []
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

const noService = '"internet"'

/*
 * Nothing answers behind them: workerd itself refuses I/O while a module is loaded, as it will in
 * production, and everything else about these objects is real.
 */
const workerdTypes: ReadonlyMap<string, string> = new Map([
  ['kv_namespaces', `kvNamespace = ${noService}`],
  ['r2_buckets', `r2Bucket = ${noService}`],
  ['queues', `queue = ${noService}`],
  ['services', `service = ${noService}`],
  [
    'd1_databases',
    'wrapped = (moduleName = "cloudflare-internal:d1-api", ' +
      `innerBindings = [(name = "fetcher", service = ${noService})])`,
  ],
  [
    'hyperdrive',
    `hyperdrive = (designator = ${noService}, database = "placeholder", user = "placeholder", ` +
      'password = "placeholder", scheme = "postgresql")',
  ],
])

interface FoundBinding {
  readonly name: string
  readonly section: string
}

/** Finds the names of bindings wherever a section has them: most call the name `binding`. */
function findBindings([section, value]: readonly [string, unknown]): readonly FoundBinding[] {
  if (['vars', 'env', 'secrets'].includes(section)) return []
  if (Array.isArray(value)) return value.flatMap((each) => findBindings([section, each]))
  if (!isJsonObject(value)) return []
  const name = value['binding'] ?? (namedSections.has(section) ? value['name'] : undefined)
  if (typeof name === 'string') return [{ name, section }]
  return Object.values(value).flatMap((each) => findBindings([section, each]))
}

const namedSections = new Set(['durable_objects', 'ratelimits', 'send_email', 'unsafe'])

/** Returns what stands for a secret while the build reads a module. */
export function toPlaceholder(name: string): string {
  return `placeholder-of-${name.toLowerCase()}`
}

/** Returns a placeholder with the scheme of the local value: some clients check it at once. */
function toLocalPlaceholder(name: string, value: string): string {
  const [scheme] = /^[a-z][a-z\d+.-]*:\/\//i.exec(value) ?? []
  const text = toPlaceholder(name)
  return scheme === undefined ? text : `${scheme}user:password@${text}.invalid/${text}`
}

/** Adds the secrets that the local files of wrangler name, of which only the names are used. */
export async function addLocalSecrets(
  env: WorkerEnv,
  folder: string,
  environment: string | null,
): Promise<WorkerEnv> {
  const files = ['.dev.vars', '.env', '.env.local']
  if (environment !== null) {
    files.push(`.dev.vars.${environment}`, `.env.${environment}`, `.env.${environment}.local`)
  }
  const texts = await Promise.all(
    files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')),
  )
  const local = Object.entries<string | undefined>(Object.assign({}, ...texts.map(parseEnv)))
  const named = local
    .filter(([name]) => !Object.hasOwn(env.vars, name))
    .map(([name, value = '']) => [name, toLocalPlaceholder(name, value)])
  return { ...env, secrets: { ...env.secrets, ...Object.fromEntries(named) } }
}
