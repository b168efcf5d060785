import process from 'node:process'
import { createInterface, type Interface } from 'node:readline/promises'
import { type Choices, type Given, authKinds, clientNames, defaults, templates } from './choices.ts'

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
export async function askForChoices(given: Given): Promise<Choices> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const { config = defaults.config } = given
    const template =
      given.template ?? (await pick(terminal, 'What should the server begin with?', templates))
    const auth = given.auth ?? (await pick(terminal, 'Who may call it?', authKinds))
    const clients = given.clients ?? (await pickClients(terminal))
    const install = given.install ?? (await confirm(terminal, 'Install the packages now?'))
    const git = given.git ?? (await confirm(terminal, 'Create a git repository?'))
    return { template, auth, clients, config, install, git }
  } finally {
    terminal.close()
  }
}

/** Asks for the folder. */
export async function askForFolder(fallback: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Which folder should it be created in? (${fallback}) `)
  terminal.close()
  return answer.trim() || fallback
}

async function pick<Value extends keyof typeof about>(
  terminal: Interface,
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
    const answer = (await terminal.question('Number (1): ')).trim() || '1'
    const found = options.find(({ value }, index) => [value, `${index + 1}`].includes(answer))
    if (found !== undefined) return found.value
    console.log(`Write a number from 1 to ${values.length}.`)
  }
}

async function pickClients(terminal: Interface): Promise<Choices['clients']> {
  const rows = clientNames.map((name, index) => `  ${index + 1}  ${name}`)
  console.log(`\nWhich clients do you use? A file connects each of them.\n${rows.join('\n')}`)
  const answer = await terminal.question('Numbers with commas (none): ')
  const numbers = new Set(answer.split(/[\s,]+/))
  return clientNames.filter((name, index) => numbers.has(`${index + 1}`) || numbers.has(name))
}

async function confirm(terminal: Interface, question: string): Promise<boolean> {
  const answer = await terminal.question(`\n${question} (Y/n) `)
  return !/^n/i.test(answer.trim())
}
