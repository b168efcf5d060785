import type { AuthKind, ClientName } from './choices.ts'

/** The files that connect clients to the server on this machine, each where its client reads it. */
export function toClientFiles(
  names: readonly ClientName[],
  server: string,
  auth: AuthKind,
): ReadonlyMap<string, string> {
  return new Map(
    names.map((name) => {
      const { path, create } = clients[name]
      return [path, `${JSON.stringify(create(server, auth === 'api-keys'), null, 2)}\n`]
    }),
  )
}

/** Where `wrangler dev` serves. */
export const localUrl = 'http://127.0.0.1:8787/mcp'

interface ClientFile {
  readonly path: string
  /** @param sendsKey whether requests need a key: it stays in a variable, because git keeps the file. */
  readonly create: (server: string, sendsKey: boolean) => object
}

function toHeaders(variable: string): object {
  return { headers: { Authorization: `Bearer ${variable}` } }
}

const clients: Readonly<Record<ClientName, ClientFile>> = {
  'claude-code': {
    path: '.mcp.json',
    create: (server, sendsKey) => ({
      mcpServers: {
        [server]: { type: 'http', url: localUrl, ...(sendsKey && toHeaders('${MCP_KEY}')) },
      },
    }),
  },
  vscode: {
    path: '.vscode/mcp.json',
    create: (server, sendsKey) => ({
      ...(sendsKey && {
        inputs: [{ id: 'key', type: 'promptString', description: 'API key', password: true }],
      }),
      servers: {
        [server]: { type: 'http', url: localUrl, ...(sendsKey && toHeaders('${input:key}')) },
      },
    }),
  },
  cursor: {
    path: '.cursor/mcp.json',
    create: (server, sendsKey) => ({
      mcpServers: { [server]: { url: localUrl, ...(sendsKey && toHeaders('${env:MCP_KEY}')) } },
    }),
  },
  gemini: {
    path: '.gemini/settings.json',
    create: (server, sendsKey) => ({
      mcpServers: { [server]: { httpUrl: localUrl, ...(sendsKey && toHeaders('$MCP_KEY')) } },
    }),
  },
}
