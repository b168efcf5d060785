import { type JsonObject, isJsonObject } from '../../protocol/json.ts'

/** The top level of wrangler's configuration, or one of its environments. */
export interface Environment {
  /** `null` for the top level. */
  readonly name: string | null
  /** What is written in its own section. */
  readonly own: JsonObject
  /** With what an environment inherits. Bindings and variables are not inherited. */
  readonly settings: JsonObject
}

export function readEnvironments(config: JsonObject): readonly Environment[] {
  const { env, ...root } = config
  const sections = isJsonObject(env) ? Object.entries(env) : []
  const others = sections.flatMap(([name, own]) =>
    isJsonObject(own) ? [{ name, own, settings: { ...root, ...own } }] : [],
  )
  return [{ name: null, own: root, settings: root }, ...others]
}

/** Names an environment in a sentence. */
export function toEnvironmentText({ name }: Environment): string {
  return name === null ? 'the top level' : `the environment "${name}"`
}

export function readTables(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The patterns of the routes, and the custom domains, of an environment. */
export function readRoutes({ settings }: Environment): readonly WorkerRoute[] {
  const { route, routes } = settings
  const all = [...(route === undefined ? [] : [route]), ...(Array.isArray(routes) ? routes : [])]
  return all.flatMap((one) => {
    if (typeof one === 'string') return [{ pattern: one, isDomain: false }]
    const { pattern, custom_domain: isDomain } = isJsonObject(one) ? one : {}
    return typeof pattern === 'string' ? [{ pattern, isDomain: isDomain === true }] : []
  })
}

export interface WorkerRoute {
  readonly pattern: string
  readonly isDomain: boolean
}
