import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import process from 'node:process'
import { readMainModule } from '../../build/main-module.ts'
import type { Project } from '../../build/project.ts'
import { readWranglerFile } from '../../build/wrangler-file.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { readEnvironments, readRoutes } from '../check/environments.ts'

/** What the files of a project say about its server. */
export interface DescribedServer {
  readonly name: string | null
  readonly title: string | null
  readonly version: string | null
  readonly url: string
  /** Where the URL is from, for people. */
  readonly source: string
}

/**
 * Finds the URL of a project's server: where it is deployed, if that is certain, and else where
 * `wrangler dev` serves it.
 */
export async function describeServer(project: Project): Promise<DescribedServer> {
  const { config: path, environment, root, out } = project
  const config = existsSync(path) ? await readWranglerFile(path, out) : {}
  const all = readEnvironments(config)
  const chosen = all.find(({ name }) => name === environment) ?? all[0]
  const main = typeof config['main'] === 'string' ? resolve(dirname(path), config['main']) : null
  const [options] = main === null ? [] : (await readMainModule(root, main)).options
  const read = (name: string): string | null => {
    const [, , text = null] = /^(["'`])([^"'`\\$]+)\1$/.exec(options?.sources.get(name) ?? '') ?? []
    return text
  }
  const endpoint = read('endpoint') ?? '/mcp'
  const resource = read('resource')
  const domain =
    chosen === undefined ? undefined : readRoutes(chosen).find(({ isDomain }) => isDomain)
  const name = typeof config['name'] === 'string' ? config['name'] : read('name')
  const described = { name, title: read('title'), version: read('version') }
  if (domain !== undefined) {
    const source = `the custom domain in ${basename(path)}`
    return { ...described, url: `https://${domain.pattern}${endpoint}`, source }
  }
  if (resource !== null && URL.canParse(resource)) {
    return { ...described, url: resource, source: '`resource` of createWorker' }
  }
  return { ...described, url: toLocalUrl(config) + endpoint, source: '`wrangler dev`' }
}

function toLocalUrl({ dev }: JsonObject): string {
  const { ip, port, local_protocol: protocol } = isJsonObject(dev) ? dev : {}
  const host =
    typeof ip === 'string' && !['*', '0.0.0.0', 'localhost'].includes(ip) ? ip : '127.0.0.1'
  const number = process.env['PORT'] || (typeof port === 'number' ? port : 8787)
  return `${protocol === 'https' ? 'https' : 'http'}://${host}:${number}`
}

/** Whether only this computer, or its network, can reach a URL. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url)
  // the URL has written every spelling of an address as four numbers
  return (
    (/^\d+(?:\.\d+){3}$/.test(hostname) && privateAddress.test(hostname)) ||
    /^\[(?:::1?\]|f[cde])/.test(hostname) ||
    /(?:^|\.)(?:localhost|local|internal|test)$/.test(hostname)
  )
}

const privateAddress = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./

/** Returns a name that every client accepts. */
export function toServerName(text: string): string {
  const name = text.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'server' : name
}
