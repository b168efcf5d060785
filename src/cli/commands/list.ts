import process from 'node:process'
import { styleText } from 'node:util'
import type { Client, DiscoverResult, ListedTool } from '../../client/client.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { metaKey } from '../../protocol/meta.ts'
import { type Command, defineCommand, toRows } from '../command.ts'
import { withSentences } from '../client/client-problem.ts'
import { toTypeText } from '../client/argument-values.ts'
import { indent, toSafeJson, toSafeLine } from '../client/printable.ts'
import { createConnection, serverOptions } from '../client/server-options.ts'

export const listCommand: Command = defineCommand({
  usage: 'list [url]',
  about: 'Shows the tools, resources, templates and prompts that a server has for this token.',
  options: serverOptions,
  examples: {
    list: 'what the local Worker has',
    'list https://shop.example.com/mcp --json': 'what another server has, for a script',
  },
  async run({ json = false, ...values }, positional) {
    const connection = await createConnection(values, positional)
    const { url, client } = connection
    const all = await withSentences(connection, () => readAll(client))
    console.log(json ? toSafeJson(all) : toText(all, url))
    return 0
  },
})

/** Everything that a server has. It is only asked for what it says it has. */
async function readAll(client: Client) {
  const server = await client.discover()
  const { tools, resources, prompts } = server.capabilities
  return {
    server,
    tools: tools === undefined ? [] : await client.listTools(),
    resources: resources === undefined ? [] : await client.listResources(),
    resourceTemplates: resources === undefined ? [] : await client.listResourceTemplates(),
    prompts: prompts === undefined ? [] : await client.listPrompts(),
  }
}

type All = Awaited<ReturnType<typeof readAll>>

function toText(
  { server, tools, resources, resourceTemplates, prompts }: All,
  url: string,
): string {
  const parts = [
    toServerText(server, url),
    toSection('Tools', tools.map(toToolText)),
    toSection(
      'Resources',
      resources.map(({ uri, name, description, mimeType }) =>
        toEntry(uri, [`${name}${mimeType ? `, ${mimeType}` : ''}`, description]),
      ),
    ),
    toSection(
      'Resource templates',
      resourceTemplates.map(({ uriTemplate, name, description, mimeType }) =>
        toEntry(uriTemplate, [`${name}${mimeType ? `, ${mimeType}` : ''}`, description]),
      ),
    ),
    toSection(
      'Prompts',
      prompts.map(({ name, description, arguments: args = [] }) =>
        toEntry(
          name,
          [description],
          args.map((arg) => [
            toSafeLine(arg.name),
            `${arg.required === true ? 'required' : 'optional'}${toAbout(arg.description)}`,
          ]),
        ),
      ),
    ),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function toServerText({ supportedVersions, _meta = {} }: DiscoverResult, url: string): string {
  const info = _meta[metaKey.serverInfo]
  const { name = 'A server without a name', version = '' } = isJsonObject(info) ? info : {}
  const older = supportedVersions.filter((each) => each !== '2026-07-28')
  const also = older.length === 0 ? '' : `, and also speaks ${older.join(', ')}`
  return toSafeLine(
    `${String(name)} ${String(version)} at ${url}, asked in revision 2026-07-28${also}`,
    500,
  )
}

function toSection(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return ''
  return `${title} (${entries.length})\n${entries.map((entry) => indent(entry)).join('\n')}`
}

function toToolText({ name, description, inputSchema, annotations = {} }: ListedTool): string {
  const { properties, required } = inputSchema
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const args = Object.entries(isJsonObject(properties) ? properties : {}).map(
    ([argument, schema]): [string, string] => {
      const { description: about, default: preset } = isJsonObject(schema) ? schema : {}
      const other = preset === undefined ? 'optional' : `default ${toSafeLine(toJson(preset), 60)}`
      const need = names.includes(argument) ? 'required' : other
      return [toSafeLine(argument), `${toTypeText(schema)}, ${need}${toAbout(about)}`]
    },
  )
  const hints = [
    ...(annotations.readOnlyHint === true ? ['reads only'] : []),
    ...(annotations.destructiveHint === true ? ['destructive'] : []),
    ...(annotations.idempotentHint === true ? ['idempotent'] : []),
    ...(annotations.openWorldHint === true ? ['open world'] : []),
  ]
  return toEntry(
    name,
    [description, hints.length === 0 ? undefined : `Hints: ${hints.join(', ')}`],
    args,
  )
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function toAbout(about: unknown): string {
  return typeof about === 'string' && about !== '' ? `. ${toSafeLine(about)}` : ''
}

function toEntry(
  name: string,
  lines: readonly (string | undefined)[],
  rows: readonly (readonly [string, string])[] = [],
): string {
  const title = styleText('bold', toSafeLine(name), { stream: process.stdout })
  const texts = lines.flatMap((line) => (line ? [indent(toSafeLine(line, 1_000))] : []))
  return [title, ...texts, ...(rows.length === 0 ? [] : [indent(toRows(rows))])].join('\n')
}
