import type { AuthKind, Choices } from './choices.ts'
import type { PackageManager } from './package-manager.ts'

interface ReadmeOptions extends Choices {
  readonly name: string
  readonly manager: PackageManager
}

const firstCalls: Readonly<Record<Choices['template'], string>> = {
  blank: "count_words -a text='to be or not to be'",
  shop: 'search_catalog -a text=knife',
}

const authNotes: Readonly<Record<AuthKind, string>> = {
  none: `Anyone may call this server. \`auth\` of \`createWorker\` changes that.`,
  jwt: `Callers send an access token of the authorization server in \`ISSUER\`. Set it to your own before the
first deploy. Tests need no tokens.`,
  'api-keys': `Callers send a key: \`Authorization: Bearer <key>\`. \`.dev.vars\` has a key for this machine, and the file
is not in git. For production, put a list of the same form into the secret before the first deploy:
\`npx wrangler secret put API_KEYS\`.`,
  'oauth-provider': `This Worker is its own authorization server. **\`src/sign-in-pages.ts\` believes anyone who writes a name**: sign
your users in there before you deploy.`,
}

/** Prints the README of a project. */
export function toReadme({ name, template, auth, config, manager }: ReadmeOptions): string {
  const { run } = manager
  const key = auth === 'api-keys' ? ' --token <key>' : ''
  const call = `${manager.exec('helve call')} ${firstCalls[template]}${key}`
  return `# ${name}

An MCP server on Cloudflare Workers, made with [Helve](https://www.npmjs.com/package/helve). A file in \`tools/\` is a tool,
and the name of the file is its name.

| command | what it does |
|---|---|
| \`${manager.name} install\` | installs |
| \`${run('dev')}\` | serves http://127.0.0.1:8787/mcp; \`PORT\` changes the port |
| \`${run('test')}\` | runs the tests, inside the runtime of Cloudflare |
| \`${run('types')}\` | generates the types of \`env\`, and checks all types |
| \`${run('check')}\` | reports problems of the tools, and of the configuration |
| \`${run('deploy')}\` | deploys, after \`npx wrangler login\` |
| \`${manager.exec('helve new tool NAME')}\` | writes another tool |

${canCallAtOnce(auth) ? `While it is being served, call it from another terminal:\n\n\`\`\`sh\n${call}\n\`\`\`\n\n` : ''}${authNotes[auth]}

| file | why it is there |
|---|---|
| \`tools/\` | the tools; a file or folder that begins with \`_\` is none |
| \`src/worker.ts\` | the Worker: its name, its limit, who may call |
${auth === 'oauth-provider' ? providerRows : ''}| \`wrangler.${config}\` | what Cloudflare needs to know; each section says why |
| \`test/\` | tests that call the Worker as a client does |
| \`.dev.vars.example\` | the secrets for this machine |
| \`AGENTS.md\` | what a coding agent should know |
`
}

const providerRows = `| \`src/index.ts\` | the authorization server around the Worker |
| \`src/sign-in-pages.ts\` | where users sign in |
`

function canCallAtOnce(auth: AuthKind): boolean {
  return auth === 'none' || auth === 'api-keys'
}

/** Prints what a coding agent should know. */
export function toAgentsFile({ manager, config }: ReadmeOptions): string {
  const { run, exec } = manager
  return `# For coding agents

An MCP server on Cloudflare Workers, made with Helve.

- Each module in \`tools/\` has one default export: \`defineTool\`, \`defineResource\`, \`definePrompt\` or \`defineHandle\`. Its
  path is its name (\`tools/billing/refund.ts\` is \`billing_refund\`). Begin with \`${exec('helve new tool NAME')}\`.
- Descriptions are for the model that calls: say what the tool does, and when to call it. Throw \`ToolError\` with a sentence
  that tells the model what to do next; other errors are hidden from it.
- Do no I/O while a module is loaded. Do it in \`run\`, and pass \`signal\` to \`fetch\`.
- \`.helve/\` and \`worker-configuration.d.ts\` are generated. Never edit them. Never change a deployed tag of the migrations in
  \`wrangler.${config}\`.
- Before you say that you are done: \`${run('check')}\`, \`${run('types')}\`, \`${run('test')}\`.
`
}
