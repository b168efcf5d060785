import type { AuthKind, ConfigFormat } from './choices.ts'

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** A key of the configuration, with the one line that says why it is there. */
interface Setting {
  readonly comment: string
  readonly values: Readonly<Record<string, Value>>
}

export interface ConfigOptions {
  readonly name: string
  readonly auth: AuthKind
  /** The command of wrangler that builds the registry. */
  readonly buildCommand: string
}

/** Prints the configuration of wrangler, the same in both formats. */
export function toWranglerConfig(options: ConfigOptions, format: ConfigFormat): string {
  const settings = toSettings(options)
  return format === 'toml' ? toToml(settings) : toJsonc(settings)
}

function toSettings({ name, auth, buildCommand }: ConfigOptions): readonly Setting[] {
  return [
    {
      comment: 'the name in the URL of the Worker, and the module that wrangler bundles',
      values: { name, main: auth === 'oauth-provider' ? 'src/index.ts' : 'src/worker.ts' },
    },
    {
      comment:
        auth === 'oauth-provider'
          ? 'the runtime; one flag ends calls of clients that disconnect, one lets clients use a URL as their id'
          : 'the version of the runtime; the flag ends a call when its client disconnects',
      values: {
        compatibility_date: '2026-11-02',
        compatibility_flags: [
          'enable_request_signal',
          ...(auth === 'oauth-provider' ? ['global_fetch_strictly_public'] : []),
        ],
      },
    },
    {
      comment:
        'handles, notifications, and questions to older clients; never change a deployed tag',
      values: { migrations: [{ tag: 'v1', new_sqlite_classes: ['Handles', 'Hub', 'Bridge'] }] },
    },
    {
      comment: 'the edge caches results in front of the entrypoint Listings, and nothing else',
      values: {
        cache: { enabled: true },
        exports: {
          default: { type: 'worker', cache: { enabled: false } },
          Listings: { type: 'worker', cache: { enabled: true } },
        },
      },
    },
    {
      comment: 'writes .helve/registry.ts, which must not be in a watched folder',
      values: { build: { command: buildCommand, watch_dir: ['src', 'tools'] } },
    },
    {
      comment: 'each caller may send 100 requests a minute',
      values: {
        ratelimits: [{ name: 'CALLS', namespace_id: '1001', simple: { limit: 100, period: 60 } }],
      },
    },
    ...(auth === 'none' ? [] : [authSettings[auth]]),
    {
      comment: 'keeps the log of each request',
      values: { observability: { enabled: true } },
    },
  ]
}

const authSettings: Readonly<Record<Exclude<AuthKind, 'none'>, Setting>> = {
  jwt: {
    comment: 'the authorization server, spelt as in `iss` of its tokens',
    values: { vars: { ISSUER: 'https://auth.example.com' } },
  },
  'api-keys': {
    comment: 'the digests of the keys; .dev.vars has it for `wrangler dev`',
    values: { secrets: { required: ['API_KEYS'] } },
  },
  'oauth-provider': {
    comment: 'clients, grants and tokens; the first deploy creates the namespace',
    values: { kv_namespaces: [{ binding: 'OAUTH_KV' }] },
  },
}

function toJsonc(settings: readonly Setting[]): string {
  const parts = settings.map(({ comment, values }) => {
    const text = JSON.stringify(values, null, 2).replace(/^\{\n/, '').replace(/\n\}$/, '')
    return `  // ${comment}\n${text}`
  })
  const schema = '  "$schema": "node_modules/wrangler/config-schema.json",\n\n'
  return `{\n${schema}${parts.join(',\n\n')}\n}\n`
}

/** Plain values stand before the first table, which would otherwise have them. */
function toToml(settings: readonly Setting[]): string {
  const parts = settings.map(({ comment, values }) => {
    const lines = Object.entries(values).map(([key, value]) => toTomlEntry(key, value))
    return `# ${comment}\n${lines.join('\n')}`
  })
  return `${parts.join('\n').replaceAll(/\n(?=#)/g, '\n\n')}\n`
}

function toTomlEntry(key: string, value: Value): string {
  if (Array.isArray(value) && value.some(isTable)) {
    return value.map((each) => `[[${key}]]\n${toTomlLines(each)}`).join('\n\n')
  }
  if (!isTable(value)) return `${key} = ${toTomlValue(value)}`
  const members = Object.entries(value)
  // a table of tables, such as [exports.default]
  if (members.every(([, member]) => isTable(member))) {
    return members.map(([name, member]) => `\n[${key}.${name}]\n${toTomlLines(member)}`).join('\n')
  }
  return `[${key}]\n${toTomlLines(value)}`
}

function toTomlLines(table: Value): string {
  return Object.entries(isTable(table) ? table : {})
    .map(([key, value]) => `${key} = ${toTomlValue(value)}`)
    .join('\n')
}

function toTomlValue(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(toTomlValue).join(', ')}]`
  if (!isTable(value)) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${key} = ${toTomlValue(member)}`)
    .join(', ')} }`
}

function isTable(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value)
}
