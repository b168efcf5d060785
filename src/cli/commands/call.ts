import { closest } from 'fastest-levenshtein'
import { CliError } from '../../build/errors.ts'
import type { Client, ListedTool } from '../../client/client.ts'
import { isLogLevel, logLevels } from '../../protocol/meta.ts'
import { checkAnswerOptions, createAnswers, toAskableKinds } from '../client/answers.ts'
import { readToolArguments } from '../client/argument-values.ts'
import { withSentences } from '../client/client-problem.ts'
import { createMediaFolder } from '../client/media.ts'
import { toSafeJson, toSafeLine } from '../client/printable.ts'
import { createReporter } from '../client/progress-bar.ts'
import { toResultText } from '../client/result-text.ts'
import { createConnection, serverOptions } from '../client/server-options.ts'
import { findTerminal } from '../client/terminal.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'

export const callCommand: Command = defineCommand({
  usage: 'call <tool> [url]',
  about:
    'Calls a tool, shows its progress and its log messages, and prints its result. What the server\n' +
    'asks is answered on the terminal, or by --answer. The exit code is 1 if the tool fails.',
  options: {
    arg: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: '<name=value>',
      about:
        'an argument, converted to the type that the tool wants; name:=json for\n' +
        'JSON; several times for several arguments, or items of a list',
    },
    input: {
      type: 'string',
      short: 'i',
      value: '<file>',
      about: 'a file with all arguments as a JSON object; - for standard input',
    },
    answer: {
      type: 'string',
      multiple: true,
      value: '<name=value>',
      about:
        'the answer to a field of a form, or to a whole question: accept,\n' +
        'decline or cancel for a form or a link, the text for a model',
    },
    root: {
      type: 'string',
      multiple: true,
      value: '<folder>',
      about: 'a folder that the server is told if it asks for the roots',
    },
    log: {
      type: 'string',
      value: '<level>',
      about: `the lowest level of log messages (default: info), one of\n${toLevelText()}`,
    },
    save: {
      type: 'string',
      value: '<folder>',
      about:
        'where images, audio and files are saved, without replacing any\n(default: a new temporary folder)',
    },
    ...serverOptions,
  },
  examples: {
    'call convert_price -a amount=24.9 -a to=JPY': 'a tool of the local Worker',
    'call checkout -a basket=bsk_1 --answer pay=true': 'a tool that asks, in a script',
  },
  async run(values, name = '', positional) {
    const { arg, input, answer = [], root = [], log = 'info', save, json = false } = values
    if (!isLogLevel(log)) {
      throw new UsageError(`--log must be one of ${logLevels.join(', ')}, and is ${log}.`)
    }
    checkAnswerOptions(answer)
    const terminal = findTerminal()
    const reporter = createReporter()
    const connection = await createConnection(values, positional, {
      capabilities: toAskableKinds(root),
    })
    const { client, url } = connection
    const answers = createAnswers({ answer, root, terminal, url })
    const result = await withSentences(connection, async () => {
      const tool = await findTool(client, name)
      const args = await readToolArguments({ arg, input }, tool.inputSchema)
      return client.callTool(name, args, {
        ...reporter,
        logLevel: log,
        answers(asked) {
          reporter.clear()
          return answers(asked)
        },
      })
    }).finally(reporter.clear)
    if (json) console.log(toSafeJson(result))
    else {
      if (result.isError === true) console.error(`helve: ${name} failed:`)
      console.log(await toResultText(result, { folder: createMediaFolder(save), name }))
    }
    return result.isError === true ? 1 : 0
  },
})

function toLevelText(): string {
  return logLevels.join(', ').replace('warning, ', 'warning,\n')
}

/** @throws {CliError} that names the closest tool. */
async function findTool(client: Client, name: string): Promise<ListedTool> {
  const tools = await client.listTools()
  const found = tools.find((tool) => tool.name === name)
  if (found !== undefined) return found
  const names = tools.map((tool) => tool.name)
  throw new CliError(
    names.length === 0
      ? 'The server has no tools for you. `helve list` shows what it has; a token may be missing.'
      : `The server has no tool \`${name}\`. The closest one is \`${toSafeLine(closest(name, names))}\`. ` +
          '`helve list` shows all.',
  )
}
