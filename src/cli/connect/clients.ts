import { toClaudeLink, toCursorLink, toVsCodeLink } from './links.ts'

/** What a client must know of a server. */
export interface ServerAddress {
  /** The name under which the client lists it: letters, digits, `_` and `-`. */
  readonly name: string
  readonly title: string
  readonly url: string
  /** Headers that the client must send, whose values come from variables of its environment. */
  readonly headers: readonly SecretHeader[]
}

export interface SecretHeader {
  readonly name: string
  /** What stands before the secret, such as "Bearer ". */
  readonly prefix: string
  /** The environment variable that has the secret. */
  readonly variable: string
}

/** One way to connect a client. */
export interface ConnectStep {
  readonly kind: 'command' | 'link' | 'file' | 'steps'
  /** What the lines are for, such as the path of the file. */
  readonly about: string
  readonly text: string
}

export interface McpClient {
  readonly name: string
  readonly title: string
  /** Whether it connects from a server of its maker, which cannot reach this computer. */
  readonly isRemote?: true
  readonly connect: (server: ServerAddress) => readonly ConnectStep[]
}

/** In the order of docs/clients.md. */
export const clients: readonly McpClient[] = [
  {
    name: 'claude',
    title: 'Claude and Claude Desktop',
    isRemote: true,
    connect: (server) => [
      { kind: 'link', about: 'opens the dialog, filled in', text: toClaudeLink(server) },
      steps('or by hand', 'Settings, Connectors, Add custom connector', server),
      ...sendsNoHeader(server),
    ],
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop, from this computer',
    connect: (server) => [
      json('claude_desktop_config.json', { mcpServers: { [server.name]: toMcpRemote(server) } }),
    ],
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    connect: (server) => [
      command(
        `claude mcp add --transport http ${server.name} ${toShell(server.url)}`,
        server.headers.map((header) => `--header "${toHeaderLine(header, '$')}"`),
      ),
      json('.mcp.json of a project', {
        mcpServers: {
          [server.name]: {
            type: 'http',
            url: server.url,
            ...toHeaders(server, (name) => `\${${name}}`),
          },
        },
      }),
    ],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    connect: (server) => [
      json('.cursor/mcp.json of a project, or ~/.cursor/mcp.json', {
        mcpServers: { [server.name]: toCursorEntry(server) },
      }),
      {
        kind: 'link',
        about: 'installs it',
        text: toCursorLink(server.name, toCursorEntry(server)),
      },
    ],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    connect: (server) => [
      json('.vscode/mcp.json', {
        ...toVsCodeInputs(server),
        servers: { [server.name]: toVsCodeEntry(server) },
      }),
      // a command and a link have no place for the question for a secret
      ...(server.headers.length > 0
        ? []
        : [
            command(
              `code --add-mcp ${toShell(print({ name: server.name, ...toVsCodeEntry(server) }))}`,
              [],
            ),
            {
              kind: 'link',
              about: 'installs it',
              text: toVsCodeLink(server.name, toVsCodeEntry(server)),
            } as const,
          ]),
    ],
  },
  {
    name: 'chatgpt',
    title: 'ChatGPT',
    isRemote: true,
    connect: (server) => [
      steps(
        'in the browser',
        'Settings, Connectors, Advanced, Developer mode; then Connectors, Create',
        server,
      ),
      ...sendsNoHeader(server),
    ],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    connect: (server) => [
      command(
        `gemini mcp add --transport http ${server.name} ${toShell(server.url)}`,
        server.headers.map((header) => `--header "${toHeaderLine(header, '$')}"`),
      ),
      json('settings.json', {
        mcpServers: {
          [server.name]: { httpUrl: server.url, ...toHeaders(server, (name) => `$${name}`) },
        },
      }),
    ],
  },
  {
    name: 'codex',
    title: 'Codex',
    connect: (server) => [
      ...toCodexCommand(server),
      { kind: 'file', about: '~/.codex/config.toml', text: toCodexConfig(server) },
    ],
  },
  {
    name: 'goose',
    title: 'Goose',
    connect: (server) =>
      server.headers.length > 0
        ? [
            steps(
              'on the terminal',
              'goose configure, Add Extension, Remote Extension (Streamable HTTP)',
              server,
              server.headers.map(toHeaderStep).join(''),
            ),
          ]
        : [command(`goose session --with-streamable-http-extension ${toShell(server.url)}`, [])],
  },
  {
    name: 'mcp-remote',
    title: 'mcp-remote, for clients that only start commands',
    connect: (server) => [
      json('the configuration of the client', {
        mcpServers: { [server.name]: toMcpRemote(server) },
      }),
    ],
  },
]

/** Quotes a text for a shell if it needs it. */
function toShell(text: string): string {
  return /^[\w:/.~%@+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function command(line: string, options: readonly string[]): ConnectStep {
  return { kind: 'command', about: 'on the terminal', text: [line, ...options].join(' ') }
}

function json(about: string, value: object): ConnectStep {
  return { kind: 'file', about, text: print(value) }
}

function steps(about: string, way: string, { url }: ServerAddress, more = ''): ConnectStep {
  return { kind: 'steps', about, text: `${way}; enter ${url}${more}` }
}

function toHeaderStep({ name, prefix, variable }: SecretHeader): string {
  return `, and the header ${name} with the value "${prefix}<${variable}>"`
}

function sendsNoHeader({ headers }: ServerAddress): readonly ConnectStep[] {
  if (headers.length === 0) return []
  const names = headers.map(({ name }) => name).join(', ')
  const text = `It cannot be told to send ${names}. It can authorize with OAuth: see docs/securing.md.`
  return [{ kind: 'steps', about: 'note', text }]
}

function toHeaderLine({ name, prefix, variable }: SecretHeader, sign: string): string {
  return `${name}: ${prefix}${sign}${variable}`
}

/** @param refer says how a client refers to a variable. */
function toHeaders(
  { headers }: ServerAddress,
  refer: (variable: string) => string,
): { readonly headers?: Readonly<Record<string, string>> } {
  if (headers.length === 0) return {}
  const entries = headers.map(
    ({ name, prefix, variable }) => [name, prefix + refer(variable)] as const,
  )
  return { headers: Object.fromEntries(entries) }
}

function toCursorEntry(server: ServerAddress): object {
  return { url: server.url, ...toHeaders(server, (name) => `\${env:${name}}`) }
}

function toVsCodeEntry(server: ServerAddress): object {
  return { type: 'http', url: server.url, ...toHeaders(server, (name) => `\${input:${name}}`) }
}

/** VS Code asks for a secret, and stores it. */
function toVsCodeInputs({ headers }: ServerAddress): object {
  if (headers.length === 0) return {}
  const inputs = headers.map(({ variable }) => ({
    type: 'promptString',
    id: variable,
    description: variable,
    password: true,
  }))
  return { inputs }
}

/** Its command can pass on a bearer token, and no other header. */
function toCodexCommand({ name, url, headers }: ServerAddress): readonly ConnectStep[] {
  const line = `codex mcp add ${name} --url ${toShell(url)}`
  const [header, ...others] = headers
  if (header === undefined) return [command(line, [])]
  if (!isBearer(header) || others.length > 0) return []
  return [command(line, [`--bearer-token-env-var ${header.variable}`])]
}

function toCodexConfig({ name, url, headers }: ServerAddress): string {
  const token = headers.find(isBearer)
  const others = headers.filter((header) => header !== token)
  const pairs = others.map(
    (header) => `${JSON.stringify(header.name)} = ${JSON.stringify(header.variable)}`,
  )
  return [
    `[mcp_servers.${name}]`,
    `url = ${JSON.stringify(url)}`,
    ...(token === undefined ? [] : [`bearer_token_env_var = ${JSON.stringify(token.variable)}`]),
    ...(pairs.length === 0 ? [] : [`env_http_headers = { ${pairs.join(', ')} }`]),
  ].join('\n')
}

function isBearer({ name, prefix }: SecretHeader): boolean {
  return name.toLowerCase() === 'authorization' && prefix === 'Bearer '
}

function toMcpRemote({ url, headers }: ServerAddress): object {
  const { protocol, hostname } = new URL(url)
  const isPlain = protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  // spaces in an argument are lost on the way in some clients, so the value with one is in a variable
  const variables = headers.map(({ prefix, variable }) => [
    `${variable}_HEADER`,
    `${prefix}<${variable}>`,
  ])
  return {
    command: 'npx',
    args: [
      'mcp-remote',
      url,
      ...(isPlain ? ['--allow-http'] : []),
      ...headers.flatMap(({ name, variable }) => ['--header', `${name}:\${${variable}_HEADER}`]),
    ],
    ...(headers.length > 0 && { env: Object.fromEntries(variables) }),
  }
}

/** Prints JSON on one line, as the documentation does. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${print(member)}`,
  )
  return `{ ${members.join(', ')} }`
}
