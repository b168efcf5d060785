import { closest } from 'fastest-levenshtein'
import { CliError } from '../../build/errors.ts'
import type { Client, ListedTool } from '../../client/client.ts'
import { isLogLevel, logLevels } from '../../protocol/meta.ts'
import { checkAnswerOptions, createAnswers, toAskableKinds } from '../client/answers.ts'
import { readToolArguments } from '../client/argument-values.ts'
import { withSentences } from '../client/client-problem.ts'
import { createMediaFolder } from '../client/media.ts'
import { toSafeLine } from '../client/printable.ts'
import { createReporter } from '../client/progress-bar.ts'
import { toResultText } from '../client/result-text.ts'
import { createConnection, serverOptions } from '../client/server-options.ts'
import { findTerminal } from '../client/terminal.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'

export const callCommand: Command = defineCommand({
  usage: 'call <tool> [url]',
  about:
    'Calls a tool, shows its progress and its log messages, and prints its result. What the server asks is\n' +
    'answered on the terminal, or by --answer. The exit code is 1 if the tool fails.',
  options: {
    arg: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: '<name=value>',
      about:
        'an argument, converted to the type that the tool wants; name:=json for JSON;\nmay be given several times, for a list with the same name',
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
        'the answer to a field of a form, or to the question with that name: accept,\ndecline or cancel for a link or a form, a text for a model; may be given several times',
    },
    root: {
      type: 'string',
      multiple: true,
      value: '<folder>',
      about: 'a folder that the server may be told of; may be given several times',
    },
    log: {
      type: 'string',
      value: '<level>',
      about: `the lowest level of log messages: ${logLevels.join(', ')} (default: info)`,
    },
    save: {
      type: 'string',
      value: '<folder>',
      about:
        'where images, audio and files are saved; no file is replaced (default: a new\ntemporary folder)',
    },
    ...serverOptions,
  },
  examples: {
    'call convert_price --arg amount=24.9 --arg to=JPY': 'a tool of the local Worker',
    'call checkout https://shop.example.com/mcp -a basket=bsk_1 --answer pay=true':
      'a tool that asks, in a script',
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
    if (json) console.log(JSON.stringify(result, null, 2))
    else {
      if (result.isError === true) console.error(`helve: ${name} failed:`)
      console.log(await toResultText(result, { folder: createMediaFolder(save), name }))
    }
    return result.isError === true ? 1 : 0
  },
})

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
