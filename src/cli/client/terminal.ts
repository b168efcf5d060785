import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'
import process from 'node:process'
import { CliError } from '../../build/errors.ts'

/** A person at a terminal. What is shown goes to standard error, so that standard output has the result alone. */
export interface Terminal {
  readonly show: (text: string) => void
  /** Asks for a line; `null` if the person ends the input. */
  readonly ask: (prompt: string) => Promise<string | null>
}

/** Returns `null` if nobody can be asked. */
export function findTerminal(): Terminal | null {
  const { stdin, stderr } = process
  return stdin.isTTY && stderr.isTTY ? createTerminal(stdin, stderr, true) : null
}

export function createTerminal(input: Readable, output: Writable, terminal: boolean): Terminal {
  return {
    show: (text) => void output.write(`${text}\n`),
    async ask(prompt) {
      const lines = createInterface({ input, output, terminal })
      const ended = new Promise<null>((resolve) => {
        lines.once('close', () => resolve(null)).once('SIGINT', () => lines.close())
      })
      try {
        return await Promise.race([lines.question(prompt).catch(() => null), ended])
      } finally {
        lines.close()
      }
    },
  }
}

export function createCancelled(): CliError {
  return new CliError('Cancelled. The tool was not called again.')
}
