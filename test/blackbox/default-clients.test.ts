import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import {
  Client as V2Client,
  StreamableHTTPClientTransport as V2Transport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createRuntime } from 'mcporter'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { exampleTools } from '../support/example-tools.ts'

/*
 * Clients as people run them, without a setting for the revision: they begin with `initialize`.
 */

const bin = join(import.meta.dirname, '../../node_modules/.bin')
const price = { amount: 4611, currency: 'JPY', rate: 185.18 }
const input = { amount: 24.9, to: 'JPY' }

// the commands keep files in the home folder, and must neither read nor change those of a person
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'clients-'))
})
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: home,
  MCP_REMOTE_CONFIG_DIR: join(home, 'mcp-remote'),
})

/** Runs a command of an installed package and returns the JSON that it prints. */
async function run(command: string, ...options: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(bin, command), ...options], {
    cwd: home,
    env: environment(),
  })
  return JSON.parse(stdout)
}

describe('the inspector without a protocol era', () => {
  const inspect = (...options: readonly string[]): Promise<unknown> =>
    run('mcp-inspector', '--cli', inject('endpoint'), '--transport=http', ...options)

  it('lists the tools', async () => {
    expect(await inspect('--method=tools/list')).toMatchObject({
      tools: exampleTools.map((name) => ({ name })),
    })
  })

  it('calls a tool', async () => {
    const options = ['--tool-name=convert_price', '--tool-arg', 'amount=24.9', 'to=JPY']
    expect(await inspect('--method=tools/call', ...options)).toMatchObject({
      structuredContent: price,
    })
  })
})

describe('mcporter', () => {
  it('lists the tools', async () => {
    expect(
      await run('mcporter', 'list', inject('endpoint'), '--allow-http', '--json'),
    ).toMatchObject({ status: 'ok', tools: exampleTools.map((name) => ({ name })) })
  })

  it('calls a tool', async () => {
    const call = [`${inject('endpoint')}.convert_price`, 'amount=24.9', 'to=JPY', '--allow-http']
    expect(await run('mcporter', 'call', ...call)).toMatchObject(price)
  })

  it('calls a tool as a library', async () => {
    const url = new URL(inject('endpoint'))
    const runtime = await createRuntime({
      rootDir: home,
      servers: [{ name: 'shop', command: { kind: 'http', url } }],
    })
    onTestFinished(() => runtime.close())
    expect((await runtime.listTools('shop')).map(({ name }) => name)).toEqual(exampleTools)
    expect(await runtime.callTool('shop', 'convert_price', { args: input })).toMatchObject({
      structuredContent: price,
    })
  })
})

describe('mcp-remote', () => {
  it('brings the server to a client of stdio', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(bin, 'mcp-remote'), inject('endpoint'), '--allow-http'],
      cwd: home,
      env: environment(),
      stderr: 'ignore',
    })
    const client = new Client({ name: 'stdio', version: '1.0.0' })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(exampleTools)
    const call = { name: 'convert_price', arguments: input }
    expect(await client.callTool(call)).toMatchObject({ structuredContent: price })
  })
})

describe('the adapters of LangChain', () => {
  it('load the tools, and call one', async () => {
    const client = new MultiServerMCPClient({
      mcpServers: { shop: { transport: 'http', url: inject('endpoint') } },
    })
    onTestFinished(() => client.close())
    const tools = await client.getTools()
    expect(tools.map(({ name }) => name)).toEqual(exampleTools)
    const convert = tools.find(({ name }) => name === 'convert_price')
    expect(await convert?.invoke(input)).toMatchObject({ structuredContent: price })
  })
})

describe('version 2 of the official client', () => {
  const connect = async (mode?: 'auto'): Promise<V2Client> => {
    const client = new V2Client(
      { name: 'v2', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {} } },
        ...(mode !== undefined && { versionNegotiation: { mode } }),
      },
    )
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { without: 'nuts' },
    }))
    await client.connect(new V2Transport(new URL(inject('endpoint'))))
    onTestFinished(() => client.close())
    return client
  }

  it('speaks 2025-11-25 by default', async () => {
    const client = await connect()
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25')
    expect(client.getServerVersion()).toMatchObject({ name: 'helve-shop', version: '0.1.0' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(exampleTools)
    const call = { name: 'convert_price', arguments: input }
    expect(await client.callTool(call)).toMatchObject({ structuredContent: price })
  })

  it('is asked a question', async () => {
    const client = await connect()
    const { messages } = await client.getPrompt({
      name: 'plan_dinner',
      arguments: { dish: 'ramen' },
    })
    expect(JSON.stringify(messages)).toContain('nuts')
  })

  it('shares the endpoint with one that negotiates 2026-07-28', async () => {
    const clients = await Promise.all([connect(), connect('auto'), connect(), connect('auto')])
    expect(clients.map((client) => client.getNegotiatedProtocolVersion())).toEqual([
      '2025-11-25',
      '2026-07-28',
      '2025-11-25',
      '2026-07-28',
    ])
    const rounds = Array.from({ length: 10 }, () => clients).flat()
    const results = await Promise.all(
      rounds.map((client, amount) =>
        client.callTool({ name: 'convert_price', arguments: { amount, to: 'EUR' } }),
      ),
    )
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      rounds.map((_, amount) => expect.objectContaining({ amount, currency: 'EUR' })),
    )
  })
})
