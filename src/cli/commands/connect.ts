import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createProject } from '../../build/project.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { CliError } from '../../build/errors.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'
import {
  type McpClient,
  type SecretHeader,
  type ServerAddress,
  clients,
} from '../connect/clients.ts'
import {
  type DescribedServer,
  describeServer,
  isLocalUrl,
  toServerName,
} from '../connect/server-address.ts'
import { toRegistryName, toServerJson } from '../connect/server-json.ts'
import { projectOptions } from '../project-options.ts'

export const connectCommand: Command = defineCommand({
  usage: 'connect [url]',
  about:
    'Prints the exact lines and links that connect clients to a server. Without a URL it is the server of\n' +
    'this project: at its custom domain or its `resource`, if the files name one, and else where\n' +
    '`wrangler dev` serves it.\n\n' +
    `Clients: ${clients.map(({ name }) => name).join(', ')}`,
  options: {
    client: { type: 'string', multiple: true, value: '<name>', about: 'only this client' },
    name: {
      type: 'string',
      value: '<name>',
      about: 'the name of the server (default: that of the Worker)',
    },
    'token-env': {
      type: 'string',
      value: '<variable>',
      about: 'the variable with a bearer token, where clients cannot authorize with OAuth',
    },
    header: {
      type: 'string',
      multiple: true,
      value: '<name=variable>',
      about: 'a header that clients must send, with the variable that has its value',
    },
    'server-json': {
      type: 'boolean',
      about: 'write server.json, with which the server is listed in the MCP registry',
    },
    description: {
      type: 'string',
      value: '<text>',
      about: 'the description in server.json (default: that of package.json)',
    },
    config: projectOptions.config,
    env: projectOptions.env,
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: {
    connect: 'the lines for `wrangler dev`',
    'connect https://shop.example.com/mcp --client cursor': 'those of one client',
    'connect --token-env SHOP_KEY': 'those of a server with API keys',
    'connect --server-json --name io.github.ada/shop': 'writes server.json',
  },
  async run({ json = false, ...values }, given) {
    const project = createProject(process.cwd(), values)
    const described = await describeServer(project)
    const url = given === undefined ? described.url : readUrl(given)
    const headers = [
      ...(values['token-env'] === undefined ? [] : [toBearer(values['token-env'])]),
      ...(values.header ?? []).map(readHeader),
    ]
    if (values['server-json'] === true) {
      const name = values.name ?? toRegistryName(url, toName(described, url))
      const written = await writeServerJson(project.root, {
        described,
        url,
        headers,
        name,
        description: values.description,
      })
      if (json) console.log(JSON.stringify(written, null, 2))
      else console.log(`helve: server.json for ${String(written['name'])} at ${url}`)
      return 0
    }
    const name = toServerName(values.name ?? toName(described, url))
    const address = { name, title: described.title ?? name, url, headers }
    const chosen = chooseClients(values.client)
    if (json) console.log(JSON.stringify(toJson(chosen, address), null, 2))
    else console.log(toText(chosen, address, given === undefined ? described.source : null))
    return 0
  },
})

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href
  throw new UsageError(
    `"${text}" is not a URL. Write the whole URL of the endpoint, such as https://mcp.example.com/mcp.`,
  )
}

const variablePattern = /^[A-Za-z_]\w*$/

function toBearer(variable: string): SecretHeader {
  return { name: 'Authorization', prefix: 'Bearer ', variable: readVariable(variable) }
}

function readHeader(text: string): SecretHeader {
  const [name = '', variable = ''] = text.split('=')
  if (/^[\w-]+$/.test(name)) return { name, prefix: '', variable: readVariable(variable) }
  throw new UsageError(
    `--header is "${text}". Write the header and the variable, such as X-Api-Key=SHOP_KEY.`,
  )
}

/** A secret in its place would be printed, and stored in files that others read. */
function readVariable(text: string): string {
  if (variablePattern.test(text)) return text
  throw new UsageError(
    'A secret is named by its environment variable, such as SHOP_KEY, and not written itself.',
  )
}

/** The name of the project's Worker if it is the server, and else the host. */
function toName({ name, url: own }: DescribedServer, url: string): string {
  const { hostname } = new URL(url)
  const isOwn = isLocalUrl(url) || hostname === new URL(own).hostname || isLocalUrl(own)
  const [label = ''] = hostname.split('.')
  return toServerName(isOwn && name !== null ? name : isLocalUrl(url) ? 'server' : label)
}

function chooseClients(names: readonly string[] | undefined): readonly McpClient[] {
  if (names === undefined) return clients
  return names.map((name) => {
    const client = clients.find((one) => one.name === name)
    if (client !== undefined) return client
    const all = clients.map((one) => one.name).join(', ')
    throw new UsageError(`"${name}" is not a client that Helve knows. These are: ${all}.`)
  })
}

function toWarning({ isRemote }: McpClient, { url }: ServerAddress): string | null {
  if (isRemote !== true || !isLocalUrl(url)) return null
  const { origin } = new URL(url)
  return (
    `It connects from the internet, and cannot reach ${origin}. Deploy the Worker, or open a tunnel: ` +
    `cloudflared tunnel --url ${origin}`
  )
}

function toJson(chosen: readonly McpClient[], server: ServerAddress): JsonObject {
  const all = chosen.map((client) => ({
    client: client.name,
    title: client.title,
    warning: toWarning(client, server),
    connections: client.connect(server),
  }))
  return { name: server.name, url: server.url, clients: all }
}

function toText(
  chosen: readonly McpClient[],
  server: ServerAddress,
  source: string | null,
): string {
  const from = source === null ? '' : ` (from ${source})`
  const sections = chosen.map((client) => {
    const warning = toWarning(client, server)
    const lines = client.connect(server).map(({ about, text }) => `  ${about}:\n${indent(text)}`)
    return [client.title, ...(warning === null ? lines : [`  ${warning}`])].join('\n')
  })
  return [`${server.name}: ${server.url}${from}`, ...sections].join('\n\n')
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}

interface WrittenServer {
  readonly described: DescribedServer
  readonly url: string
  readonly headers: readonly SecretHeader[]
  readonly name: string
  readonly description: string | undefined
}

async function writeServerJson(root: string, server: WrittenServer): Promise<JsonObject> {
  const { described, url, headers, name } = server
  const [manifest, existing] = await Promise.all([
    readJson(join(root, 'package.json')),
    readJson(join(root, 'server.json')),
  ])
  const descriptions = [server.description, existing['description'], manifest['description']]
  const versions = [described.version, manifest['version']]
  const listed = {
    name,
    title: described.title,
    description: findText(descriptions),
    version: findText(versions),
    url,
    headers,
    manifest,
  }
  const json = toServerJson(listed, existing)
  await writeFile(join(root, 'server.json'), `${JSON.stringify(json, null, 2)}\n`)
  return json
}

function findText(values: readonly unknown[]): string {
  return values.find((value) => typeof value === 'string') ?? ''
}

/** Reads a JSON file; an empty object if it is missing. */
async function readJson(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // the sentence is the same
  }
  throw new CliError(`${path} is not a JSON object. Correct it first.`)
}
