import { dirname } from 'node:path'
import { wireErrors } from './error-kinds.ts'
import { readSourceSentences, type SourceSentence } from './sentences.ts'

interface Area {
  readonly title: string
  /** Who reads these sentences. */
  readonly about: string
  /**
   * Folders and files of `src/`, and `.` for the files beside its folders. A file belongs to the first
   * area that names it.
   */
  readonly paths: readonly string[]
}

const areas: readonly Area[] = [
  {
    title: 'HTTP and JSON-RPC',
    about: 'In `message` of an error, for whoever writes or runs a client.',
    paths: ['serve', 'protocol/failure.ts', 'protocol/message.ts'],
  },
  {
    title: 'Credentials and callers',
    about:
      'Sentences about a token are in the error and in `WWW-Authenticate`. Those that name a setting or an issuer are in the log, ' +
      'and the caller gets 503. Those that name an option are thrown when the Worker starts.',
    paths: ['auth'],
  },
  {
    title: 'Clients of earlier revisions',
    about: 'In an error, or in a result with `isError` if a call could not ask.',
    paths: ['mcp/legacy'],
  },
  {
    title: 'Questions',
    about:
      'What the user did is in a result with `isError`, for the model. What `ask` did wrong is in the log, for the author.',
    paths: ['mcp/questions', 'define/question.ts', 'define/sampling.ts', 'define/elicitation.ts'],
  },
  {
    title: 'Tools, resources, prompts and notifications',
    about:
      'Sentences about `params` are in an error. Those about a call are in a result with `isError`, for the model. Those about what an ' +
      'author’s code returned are in the log, and the client gets an error id.',
    paths: ['mcp'],
  },
  {
    title: 'Arguments and schemas',
    about:
      'In a result with `isError`, for the model, which corrects its arguments; and wherever else a value does not match a schema.',
    paths: ['schema'],
  },
  {
    title: 'Content',
    about: 'About what an author’s code returned: in the log, and the client gets an error id.',
    paths: ['protocol'],
  },
  {
    title: 'Handles and other state',
    about:
      'In a result with `isError`, for the model; what a verb or the Worker did wrong is in the log.',
    paths: ['objects', 'state'],
  },
  {
    title: 'Caching',
    about: 'In the log. A call is never failed by its cache.',
    paths: ['cache'],
  },
  { title: 'What leaves the server', about: 'In the log.', paths: ['out'] },
  {
    title: 'Definitions',
    about:
      'Thrown where a module calls the function, so the build reports it; some are in the messages of the compiler.',
    paths: ['define'],
  },
  {
    title: 'Options of createWorker',
    about:
      'Thrown as a `RangeError` when the Worker starts, unless the sentence says that it is a warning in the log.',
    paths: ['.', 'util'],
  },
  {
    title: 'The build',
    about:
      '`helve build` and `helve check` print them below the file that they are about. They exit with 1, or with 0 for a warning.',
    paths: ['build'],
  },
  {
    title: 'The commands',
    about: 'On the terminal. The exit code is 1, or 2 for a command line that was not understood.',
    paths: ['cli'],
  },
  { title: 'The client', about: 'Thrown by the functions of `helve/client`.', paths: ['client'] },
  { title: 'Tests', about: 'Thrown by the functions of `helve/testing`.', paths: ['testing'] },
]

const begin = '<!-- Below: written by `npm run errors` from src/. Do not edit. -->'

/** Writes the page again below what was written by hand. */
export function toErrorPage(page: string): string {
  const [intro = ''] = page.split(begin)
  return `${intro}${begin}\n\n${toWireTable()}\n${toSections(readSourceSentences())}`
}

function toWireTable(): string {
  const rows = wireErrors.map(
    ({ kind, status, code, legacy, message, advice }) =>
      `| ${status}, ${code}${legacy} | ${message === '…' ? 'one of those below' : toMarkdown(message)} | ${advice} | \`${kind}\` |`,
  )
  return [
    '## Errors of a request',
    '',
    '| status, code | sentence | what to do | kind |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** @throws {Error} if a file belongs to no area: name its room in the list of areas. */
export function toSections(sentences: readonly SourceSentence[]): string {
  const byArea = Map.groupBy(
    // these are in the table, each with its code
    sentences.filter(({ file }) => file !== 'protocol/failure.ts'),
    ({ file }) => findArea(file),
  )
  return areas
    .flatMap((area) => {
      const found = byArea.get(area)
      return found === undefined ? [] : [toSection(area, found)]
    })
    .join('\n')
}

function findArea(file: string): Area {
  const area = areas.find(({ paths }) =>
    paths.some((path) => [file, dirname(file)].includes(path) || file.startsWith(`${path}/`)),
  )
  if (area === undefined) {
    throw new Error(
      `src/${file} has sentences, and no area of test/structure/error-page.ts has it.`,
    )
  }
  return area
}

function toSection({ title, about }: Area, sentences: readonly SourceSentence[]): string {
  const lines = [...Map.groupBy(sentences, ({ file }) => file)].flatMap(([file, group]) => [
    '',
    `[src/${file}](../src/${file})`,
    '',
    ...new Set(group.map(({ text }) => `- ${toMarkdown(text)}`)),
  ])
  return [`## ${title}`, '', about, ...lines, ''].join('\n')
}

/** Escapes what Markdown or HTML would read, except within backticks. */
function toMarkdown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const parts = line.split('`')
  // one that is not closed would reach into the next sentence
  if (parts.length % 2 === 0) return escape(line.replaceAll('`', '\\`'))
  return parts.map((part, index) => (index % 2 === 0 ? escape(part) : part)).join('`')
}

function escape(text: string): string {
  return text.replaceAll(/[<>*_|]|\{(?=\{)|\](?=\()/g, (mark) => `\\${mark}`)
}
