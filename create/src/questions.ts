import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import {
  type Choices,
  CreateError,
  type Given,
  authKinds,
  clientNames,
  defaults,
  templates,
} from './choices.ts'

/** Whether a person can answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

interface Option<Value> {
  readonly value: Value
  readonly about: string
}

const about: Readonly<Record<(typeof templates)[number] | (typeof authKinds)[number], string>> = {
  blank: 'one tool, with its test',
  shop: 'a small shop: a catalog, a basket that expires, a checkout that asks',
  none: 'anyone may call, within the rate limit',
  jwt: 'users sign in at an authorization server, such as Auth0, Entra or Keycloak',
  'api-keys': 'callers send a key that you gave them',
  'oauth-provider': 'the Worker is its own authorization server',
}

/** Asks for what the command line does not say. */
export function askForChoices(given: Given): Promise<Choices> {
  return withTerminal(async (ask) => {
    const { config = defaults.config } = given
    const template =
      given.template ?? (await pick(ask, 'What should the server begin with?', templates))
    const auth = given.auth ?? (await pick(ask, 'Who may call it?', authKinds))
    const clients = given.clients ?? (await pickClients(ask))
    const install = given.install ?? (await confirm(ask, 'Install the packages now?'))
    const git = given.git ?? (await confirm(ask, 'Create a git repository?'))
    return { template, auth, clients, config, install, git }
  })
}

/** Asks for the folder. */
export function askForFolder(fallback: string): Promise<string> {
  return withTerminal(async (ask) => {
    const answer = await ask(`Which folder should it be created in? (${fallback}) `)
    return answer.trim() || fallback
  })
}

type Ask = (question: string) => Promise<string>

/** @throws {CreateError} if the terminal is closed, as by Ctrl+C, while a question is open. */
async function withTerminal<Answer>(run: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  try {
    return await run((question) => terminal.question(question, { signal: closed.signal }))
  } catch (error) {
    if (closed.signal.aborted) throw new CreateError('Nothing was created.', 1)
    throw error
  } finally {
    terminal.close()
  }
}

async function pick<Value extends keyof typeof about>(
  ask: Ask,
  question: string,
  values: readonly Value[],
): Promise<Value> {
  const options = values.map((value): Option<Value> => ({ value, about: about[value] }))
  const width = Math.max(...values.map((value) => value.length))
  const rows = options.map(
    (option, index) => `  ${index + 1}  ${option.value.padEnd(width)}  ${option.about}`,
  )
  console.log(`\n${question}\n${rows.join('\n')}`)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asks again after an answer that is none
    const answer = (await ask('Number (1): ')).trim() || '1'
    const found = options.find(({ value }, index) => [value, `${index + 1}`].includes(answer))
    if (found !== undefined) return found.value
    console.log(`Write a number from 1 to ${values.length}.`)
  }
}

async function pickClients(ask: Ask): Promise<Choices['clients']> {
  const rows = clientNames.map((name, index) => `  ${index + 1}  ${name}`)
  console.log(`\nWhich clients do you use? A file connects each of them.\n${rows.join('\n')}`)
  const answer = await ask('Numbers with commas (none): ')
  const numbers = new Set(answer.split(/[\s,]+/))
  return clientNames.filter((name, index) => numbers.has(`${index + 1}`) || numbers.has(name))
}

async function confirm(ask: Ask, question: string): Promise<boolean> {
  const answer = await ask(`\n${question} (Y/n) `)
  return !/^n/i.test(answer.trim())
}
