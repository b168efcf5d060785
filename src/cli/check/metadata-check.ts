import { checkResource, toMetadataUrl } from '../../auth/request/resource-metadata.ts'
import { toErrorMessage } from '../../build/errors.ts'
import type { CheckContext } from './check-context.ts'
import {
  type Environment,
  type WorkerRoute,
  readRoutes,
  toEnvironmentText,
} from './environments.ts'
import { type CheckOutcome, type Finding, findingsOf } from './finding.ts'

/**
 * Checks that a client which knows `resource` reaches this Worker, and finds the metadata of its
 * authorization there (RFC 9728). Only values that are written out can be checked.
 */
export function checkMetadata({
  main,
  environments,
  configFile,
  sources,
}: CheckContext): CheckOutcome {
  if (main === null) return { findings: [] }
  const create = findingsOf('metadata', main.file)
  const findings = main.options.flatMap(({ sources: options }): readonly Finding[] => {
    const resource = readText(options.get('resource'))
    if (resource === null || !options.has('auth')) return []
    const endpoint = options.has('endpoint') ? readText(options.get('endpoint')) : '/mcp'
    if (endpoint === null) return []
    try {
      checkResource(resource, endpoint)
    } catch (error) {
      return [create('resource', toErrorMessage(error), { severity: 'error' })]
    }
    const chosen = sources.project.environment
    const checked = environments.filter(({ name }) => chosen === null || name === chosen)
    return checked.flatMap((environment) => {
      const problem = findRouteProblem(resource, environment, configFile)
      return problem === null ? [] : [create('resource-route', problem)]
    })
  })
  return { findings }
}

function readText(source: string | undefined): string | null {
  return /^["'`]([^"'`\\$]*)["'`]$/.exec(source ?? '')?.[1] ?? null
}

function findRouteProblem(
  resource: string,
  environment: Environment,
  configFile: string,
): string | null {
  const { hostname } = new URL(resource)
  const routes = readRoutes(environment)
  const { name, workers_dev: usesWorkersDev = routes.length === 0 } = environment.settings
  if (hostname.endsWith('.workers.dev')) {
    if (usesWorkersDev !== true) {
      return (
        `\`resource\` is ${resource}, but ${toEnvironmentText(environment)} of ${configFile} does not serve ` +
        'workers.dev. Write the URL of its route, or set workers_dev = true.'
      )
    }
    const worker = environment.own['name'] ?? toWorkerName(name, environment.name)
    if (hostname.split('.')[0] === worker) return null
    return (
      `\`resource\` is ${resource}, but ${toEnvironmentText(environment)} of ${configFile} is deployed as ` +
      `${String(worker)}.<subdomain>.workers.dev. Write that host, or use a \`resource\` for each environment.`
    )
  }
  if (routes.length === 0) return null
  const metadata = toMetadataUrl(resource)
  const unserved = [resource, metadata].find((url) => !routes.some((route) => serves(route, url)))
  if (unserved === undefined) return null
  const patterns = routes.map(({ pattern }) => pattern).join(', ')
  if (unserved === resource) {
    return (
      `\`resource\` is ${resource}, but the routes of ${toEnvironmentText(environment)} of ${configFile} are ` +
      `${patterns}, so clients with that URL do not reach this Worker, and tokens for its real URL are ` +
      `refused. Write the URL that is served, or add the route "${hostname}" with custom_domain = true.`
    )
  }
  return (
    `The routes of ${toEnvironmentText(environment)} of ${configFile}, ${patterns}, do not include ` +
    `${metadata}, where clients look for the metadata of \`resource\`: they would not find out how to ` +
    `authorize. Add the route "${hostname}/.well-known/oauth-protected-resource*".`
  )
}

function toWorkerName(name: unknown, environment: string | null): unknown {
  return environment === null ? name : `${String(name)}-${environment}`
}

/** Whether a route has a URL; `*` stands for any characters, at the start of a host and at the end of a path. */
function serves({ pattern, isDomain }: WorkerRoute, url: string): boolean {
  const { hostname, pathname } = new URL(url)
  const [host = '', ...path] = pattern.replace(/^https?:\/\//, '').split('/')
  if (!toExpression(host).test(hostname)) return false
  return isDomain || toExpression(`/${path.join('/')}`).test(pathname)
}

function toExpression(pattern: string): RegExp {
  const literal = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*')}$`)
}
