import { CliError } from '../../build/errors.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import type { SecretHeader } from './clients.ts'
import { isLocalUrl } from './server-address.ts'

/** https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

export interface ListedServer {
  /** In reverse-DNS format, such as "com.example.shop/shop". */
  readonly name: string
  readonly title: string | null
  readonly description: string
  readonly version: string
  readonly url: string
  readonly headers: readonly SecretHeader[]
  readonly manifest: JsonObject
}

/**
 * Returns the server.json with which a server is listed in the MCP registry. What an existing one has beside
 * the address and the version is for people to change, and stays.
 *
 * @throws {CliError} if the registry would refuse it.
 */
export function toServerJson(server: ListedServer, existing: JsonObject = {}): JsonObject {
  const { name, title, description, version, url, headers, manifest } = server
  const created = {
    $schema: schema,
    name,
    ...(title !== null && { title }),
    description,
    ...toRepository(manifest['repository']),
    ...(isHttps(manifest['homepage']) && { websiteUrl: manifest['homepage'] }),
  }
  const remote = {
    type: 'streamable-http',
    url,
    ...(headers.length > 0 && { headers: headers.map(toHeaderInput) }),
  }
  const json = { ...created, ...existing, $schema: schema, version, remotes: [remote] }
  const problems = findServerJsonProblems(json)
  if (problems.length > 0)
    throw new CliError(`The MCP registry would refuse server.json. ${problems.join(' ')}`)
  return json
}

/** Returns the name that the owner of the URL's host may use: shop.example.com owns com.example.shop. */
export function toRegistryName(url: string, name: string): string {
  const { hostname } = new URL(url)
  return `${hostname.split('.').toReversed().join('.')}/${name}`
}

/** Finds what the schema and the registry refuse of the members that Helve writes, in sentences. */
export function findServerJsonProblems({
  name,
  title,
  description,
  version,
  remotes,
}: JsonObject): readonly string[] {
  const problems: string[] = []
  if (
    typeof name !== 'string' ||
    name.length > 200 ||
    !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)
  ) {
    problems.push(
      `The name is ${JSON.stringify(name)}. It must be in reverse-DNS format with one slash, such as ` +
        'io.github.ada/shop: pass it with --name.',
    )
  }
  if (!isTextWithin(description, 100)) {
    problems.push(
      'The description must have 1 to 100 characters: set `description` in package.json, or pass it with ' +
        '--description.',
    )
  }
  if (title !== undefined && !isTextWithin(title, 100)) {
    problems.push('The title must have 1 to 100 characters.')
  }
  if (
    !isTextWithin(version, 255) ||
    /^latest$|^[\^~<>=]|\s|(?:^|\.)[*x](?:\.|$)/i.test(String(version))
  ) {
    problems.push(
      `The version is ${JSON.stringify(version)}. It must be one version, such as 1.0.0: set \`version\` of ` +
        'createWorker.',
    )
  }
  for (const { url } of Array.isArray(remotes) ? remotes.filter(isJsonObject) : []) {
    if (!isHttps(url) || isLocalUrl(url)) {
      problems.push(
        `The URL is ${JSON.stringify(url)}. It must be one that everybody can reach, with https: pass it, such ` +
          'as `helve connect https://mcp.example.com/mcp --server-json`.',
      )
    }
  }
  return problems
}

function isTextWithin(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max
}

function isHttps(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && value.startsWith('https://')
}

/** A client asks its user for the secret. */
function toHeaderInput({ name, prefix, variable }: SecretHeader): JsonObject {
  const secret = { description: `The value of ${variable}`, isRequired: true, isSecret: true }
  if (prefix === '') return { name, ...secret }
  return {
    name,
    isRequired: true,
    isSecret: true,
    value: `${prefix}{${variable}}`,
    variables: { [variable]: secret },
  }
}

/** Reads `repository` of package.json, in any of the ways that npm allows. */
function toRepository(repository: unknown): JsonObject {
  const { url = repository, directory } = isJsonObject(repository) ? repository : {}
  if (typeof url !== 'string') return {}
  const [, host = 'github', path] =
    /^(?:git\+)?(?:https:\/\/|ssh:\/\/git@|git@|git:\/\/)?(?:(github|gitlab)(?:\.com[/:]|:))?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(
      url,
    ) ?? []
  if (path === undefined) return {}
  const subfolder = typeof directory === 'string' ? { subfolder: directory } : {}
  return { repository: { url: `https://${host}.com/${path}`, source: host, ...subfolder } }
}
