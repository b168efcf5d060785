import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CliError } from '../../build/errors.ts'
import type { AskedInput, InputAnswer, RootFolder } from '../../client/client.ts'
import type { SamplingContent, SamplingMessage } from '../../protocol/input-request.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { UsageError } from '../command.ts'
import { convertText, readJsonText, readPair } from './argument-values.ts'
import { askForm } from './ask-form.ts'
import { indent, toSafeLine, toSafeText } from './printable.ts'
import { type Terminal, createCancelled } from './terminal.ts'

interface AnswerSources {
  /** The values of `--answer`. */
  readonly answer: readonly string[]
  /** The values of `--root`. */
  readonly root: readonly string[]
  /** `null` if nobody can be asked. */
  readonly terminal: Terminal | null
  readonly url: string
}

/** What this command can be asked. Folders only if the command line names some. */
export function toAskableKinds(root: readonly string[]): JsonObject {
  const basic = { elicitation: { form: {}, url: {} }, sampling: {} }
  return root.length === 0 ? basic : { ...basic, roots: {} }
}

/** Answers the questions of a server from the command line, and what is left on the terminal. */
export function createAnswers({ answer, root, terminal, url }: AnswerSources) {
  const given = new Map(
    answer.map((one) => {
      const { name, text, isJson } = readPair(one, '--answer')
      return [name, { text, isJson }] as const
    }),
  )
  const folders: readonly RootFolder[] = root.map((folder) => ({
    uri: pathToFileURL(resolve(folder)).href,
  }))
  /** Questions that the command line has answered: the server did not take the answer if it asks again. */
  const answered = new Set<string>()

  return async (asked: AskedInput): Promise<InputAnswer> => {
    if (asked.kind === 'roots') return folders
    const { key } = asked
    const isRepeated = answered.has(key)
    const scripted = isRepeated ? null : readScripted(asked, given)
    if (scripted !== null && (typeof scripted === 'string' || terminal === null)) {
      answered.add(key)
      return scripted
    }
    if (scripted !== null) answered.add(key)
    if (terminal === null) throw createNobody(asked, isRepeated)
    terminal.show(`\n${toSafeLine(new URL(url).host)} asks:`)
    return askPerson(terminal, asked, isJsonObject(scripted) ? scripted : {})
  }
}

type Given = ReadonlyMap<string, { readonly text: string; readonly isJson: boolean }>

/** Returns `null` if the command line has no answer to a question. */
function readScripted(
  asked: Exclude<AskedInput, { kind: 'roots' }>,
  given: Given,
): string | JsonObject | null {
  const { key } = asked
  const whole = given.get(key)
  if (asked.kind !== 'form') return whole?.text ?? null
  if (whole?.text === 'decline' || whole?.text === 'cancel') return whole.text
  if (whole?.isJson === true) {
    const value = readJsonText(whole.text, key)
    if (isJsonObject(value)) return value
  }
  const values: [string, unknown][] = []
  for (const [name, field] of Object.entries(asked.schema.properties)) {
    const one = given.get(`${key}.${name}`) ?? given.get(name)
    if (one === undefined) continue
    const value = one.isJson ? readJsonText(one.text, name) : convertText(field, one.text, name)
    values.push([name, value])
  }
  return values.length === 0 ? null : Object.fromEntries(values)
}

function createNobody(asked: AskedInput, isRepeated: boolean): CliError {
  const { key } = asked
  const text = 'message' in asked ? `: ${toSafeLine(asked.message, 500)}` : '.'
  if (isRepeated)
    return new CliError(`The server did not take the answer to \`${key}\`, and asks${text}`)
  const names = asked.kind === 'form' ? Object.keys(asked.schema.properties) : []
  const how =
    asked.kind === 'form'
      ? names.map((name) => `--answer ${toSafeLine(name)}=...`).join(' ')
      : `--answer ${toSafeLine(key)}=${asked.kind === 'url' ? 'accept' : '...'}`
  const what = asked.kind === 'sampling' ? 'wants a message of a model' : 'asks'
  return new CliError(
    `The server ${what} (\`${toSafeLine(key)}\`)${text} Nobody can answer here, since this is not a terminal. ` +
      `Pass ${how || `--answer ${toSafeLine(key)}:={}`}, or run the command in a terminal.`,
  )
}

async function askPerson(
  terminal: Terminal,
  asked: Exclude<AskedInput, { kind: 'roots' }>,
  known: JsonObject,
): Promise<InputAnswer> {
  switch (asked.kind) {
    case 'form':
      terminal.show(indent(toSafeText(asked.message)))
      return askForm(terminal, asked.schema, known)
    case 'url':
      return askLink(terminal, asked.message, asked.url)
    case 'sampling':
      return askMessage(terminal, asked.params)
  }
}

/** Shows the whole link, and never opens it: only the person does (client/elicitation, "Safe URL Handling"). */
async function askLink(terminal: Terminal, message: string, link: string): Promise<InputAnswer> {
  terminal.show(indent(toSafeText(message)))
  terminal.show(
    `  It is a page of ${toSafeLine(new URL(link).host)}:\n  ${toSafeLine(link, 8_192)}`,
  )
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asked again until it is a choice
    const line = await terminal.ask('  Open it, and press Enter when done; or decline or cancel: ')
    const word = line === null ? 'cancel' : line.trim().toLowerCase()
    if (word === '') return 'accept'
    if ('decline'.startsWith(word)) return 'decline'
    if ('cancel'.startsWith(word)) return 'cancel'
  }
}

async function askMessage(
  terminal: Terminal,
  { systemPrompt, messages, maxTokens }: Extract<AskedInput, { kind: 'sampling' }>['params'],
): Promise<string> {
  terminal.show(`  a model to write a message of at most ${maxTokens} tokens. You are the model.`)
  if (systemPrompt !== undefined) terminal.show(indent(`system: ${toSafeText(systemPrompt)}`))
  for (const message of messages) terminal.show(indent(toMessageText(message)))
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asked again until there is a text
    const line = await terminal.ask('  Your message (Ctrl+D cancels the call): ')
    if (line === null) throw createCancelled()
    if (line.trim() !== '') return line
  }
}

function toMessageText({ role, content }: SamplingMessage): string {
  const blocks: readonly SamplingContent[] = Array.isArray(content) ? content : [content]
  return blocks
    .map((block) => (block.type === 'text' ? toSafeText(block.text) : `(${block.type})`))
    .map((text) => `${role}: ${text}`)
    .join('\n')
}

/** @throws {UsageError} for an option that is not `name=value`, before anything is sent. */
export function checkAnswerOptions(answer: readonly string[]): void {
  for (const one of answer) {
    const { name, text, isJson } = readPair(one, '--answer')
    if (isJson) readJsonText(text, name)
    if (name.trim() === '') throw new UsageError('An --answer has no name.')
  }
}
