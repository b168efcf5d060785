import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { AskedInput } from '../../../src/client/client.ts'
import { createAnswers } from '../../../src/cli/client/answers.ts'
import { toInlineImage } from '../../../src/cli/client/media.ts'
import { createReporter } from '../../../src/cli/client/progress-bar.ts'
import { createTerminal } from '../../../src/cli/client/terminal.ts'
import { startEverything } from './started-everything.ts'

interface Played {
  readonly answer: unknown
  readonly shown: string
}

/** Answers a question as a person who types these lines, each at the next prompt, and then ends the input. */
async function play(
  asked: AskedInput,
  lines: readonly string[],
  answer: readonly string[] = [],
): Promise<Played> {
  const input = new PassThrough()
  const output = new PassThrough()
  const open = [...lines]
  let shown = ''
  output.on('data', (chunk) => {
    shown += String(chunk)
    if (!/(?:: |\]: )$/.test(shown)) return
    const line = open.shift()
    if (line === undefined) input.end()
    else input.write(`${line}\n`)
  })
  const terminal = createTerminal(input, output, false)
  const answers = createAnswers({
    answer,
    root: [],
    terminal,
    url: 'https://shop.example.com/mcp',
  })
  return { answer: await answers(asked).catch((error: unknown) => error), shown }
}

const form: AskedInput = {
  kind: 'form',
  key: 'order',
  message: 'What do you want?\u001B[2J',
  schema: {
    type: 'object',
    properties: {
      size: { type: 'string', enum: ['S', 'M'], default: 'M', description: 'The size.' },
      color: {
        type: 'string',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#0f0', title: 'Green' },
        ],
      },
      extras: { type: 'array', items: { type: 'string', enum: ['lid', 'straw'] } },
      count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
      gift: { type: 'boolean', default: false },
      mail: { type: 'string', format: 'email' },
    },
    required: ['color', 'count'],
  },
}

test('a form is asked field by field, checked, and sent after a look at it', async () => {
  const lines = ['', '2', 'lid, 2', 'x', '12', '3', '', 'nobody', 'a@b.co', '']
  const { answer, shown } = await play(form, lines)
  expect(answer).toEqual({
    size: 'M',
    color: '#0f0',
    extras: ['lid', 'straw'],
    count: 3,
    gift: false,
    mail: 'a@b.co',
  })
  expect(shown).toContain('shop.example.com asks:\n  What do you want?<U+001B>[2J\n')
  expect(shown).toContain('  The size.\n    1. S\n    2. M\n  size (1 to 2, optional) [M]: ')
  expect(shown).toContain('    1. Red\n    2. Green\n  color (1 to 2): ')
  expect(shown).toContain('  How many (integer, minimum 1, maximum 9): ')
  expect(shown).toContain('`count` is "x", and must be a whole number.')
  expect(shown).toContain('"count" must be at most 9, but is 12.')
  expect(shown).toContain('  gift (yes or no, optional) [no]: ')
  expect(shown).toContain('"mail" must be an email address, but is "nobody".')
  expect(shown).toContain('  color: "#0f0"\n')
  expect(shown).toContain('Send this? yes, edit, decline or cancel [yes]: ')
})

test('optional fields may stay empty', async () => {
  const { answer } = await play(form, ['', 'Red', '', '1', 'yes', '', 'y'])
  expect(answer).toEqual({ size: 'M', color: '#f00', count: 1, gift: true })
})

test('a form may be edited before it is sent, from what was typed', async () => {
  const first = ['S', '1', '', '1', 'yes', '']
  const second = ['', '2', '', '', '', '']
  const { answer } = await play(form, [...first, 'edit', ...second, 'yes'])
  expect(answer).toEqual({ size: 'S', color: '#0f0', count: 1, gift: true })
})

test.each([
  ['decline', ['', '1', '', '1', '', '', 'decline'], 'decline'],
  ['cancel', ['', '1', '', '1', '', '', 'c'], 'cancel'],
  ['the end of the input', ['', '1'], 'cancel'],
])('a form is not sent after %s', async (_, lines, expected) => {
  expect((await play(form, lines)).answer).toBe(expected)
})

test('what the command line has answered is not asked', async () => {
  const options = ['order.size=S', 'color=#f00', 'extras=lid', 'count=2', 'mail=a@b.co']
  const { answer, shown } = await play(form, ['yes', ''], options)
  expect(answer).toEqual({
    size: 'S',
    color: '#f00',
    extras: ['lid'],
    count: 2,
    gift: true,
    mail: 'a@b.co',
  })
  expect(shown).not.toContain('How many (')
})

const link: AskedInput = {
  kind: 'url',
  key: 'page',
  message: 'Sign in.',
  url: 'https://id.example.com/authorize?state=1',
}

test.each([
  ['', 'accept'],
  ['decline', 'decline'],
  ['cancel', 'cancel'],
])('a link is shown whole with its host, and %j is %s', async (line, expected) => {
  const { answer, shown } = await play(link, [line])
  expect(answer).toBe(expected)
  expect(shown).toContain(
    '  Sign in.\n  It is a page of id.example.com:\n  https://id.example.com/authorize?state=1\n',
  )
})

test('a person plays the model', async () => {
  const asked: AskedInput = {
    kind: 'sampling',
    key: 'text',
    params: {
      systemPrompt: 'Be kind.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Thank.\u0007' } }],
      maxTokens: 9,
    },
  }
  const { answer, shown } = await play(asked, ['', 'Thanks!'])
  expect(answer).toBe('Thanks!')
  expect(shown).toContain('  system: Be kind.\n  user: Thank.<U+0007>\n')
  expect((await play(asked, [])).answer).toMatchObject({
    message: expect.stringMatching('Cancelled'),
  })
})

test('progress is a bar that is drawn again on a terminal, and goes before anything else', () => {
  const written: string[] = []
  const stream = Object.assign(Object.create(process.stderr), {
    isTTY: true,
    columns: 60,
    write: (text: string) => written.push(text),
  })
  const { onProgress, onLog, clear } = createReporter(stream)
  onProgress({ progress: 1, total: 2, message: 'half\u001B[2J' })
  onProgress({ progress: 5 })
  onLog({ level: 'info', data: { a: 1 } })
  clear()
  expect(written).toEqual([
    '████████████░░░░░░░░░░░░  50% 1/2 half<U+001B>[2J',
    '\r\u001B[K',
    '5',
    '\r\u001B[K',
    'info: {"a":1}\n',
  ])
})

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, 'image/jpeg', '\u001B]1337;File=inline=1;size=3:AQID\u0007'],
  [{ TERM_PROGRAM: 'WezTerm' }, 'image/png', '\u001B]1337;File=inline=1;size=3:AQID\u0007'],
  [{ TERM: 'xterm-kitty' }, 'image/png', '\u001B_Ga=T,f=100,m=0;AQID\u001B\\'],
  [{ TERM: 'xterm-kitty' }, 'image/jpeg', null],
  [{ TERM: 'xterm-256color' }, 'image/png', null],
  [{ TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x' }, 'image/png', null],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'audio/wav', null],
])('in the terminal %j, %s is shown as %j', (env, type, expected) => {
  expect(toInlineImage(new Uint8Array([1, 2, 3]), type, env)).toBe(expected)
})

test('kitty receives a large image in chunks', () => {
  const shown = toInlineImage(new Uint8Array(7_000), 'image/png', { KITTY_WINDOW_ID: '1' }) ?? ''
  const parts = shown.split('\u001B\\').map((part) => part.split(';'))
  expect(parts.map(([start, data = '']) => [start, data.length])).toEqual([
    ['\u001B_Ga=T,f=100,m=1', 4096],
    ['\u001B_Gm=1', 4096],
    ['\u001B_Gm=0', 1144],
    ['', 0],
  ])
})

const hasScript = await promisify(execFile)('script', ['--version']).then(
  ({ stdout }) => stdout.includes('util-linux'),
  () => false,
)

test.runIf(hasScript)(
  'in a real terminal a question is asked, and the result follows',
  async () => {
    const { endpoint, stop } = await startEverything()
    onTestFinished(stop)
    const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')
    const command = `${process.execPath} ${helve} call test_elicitation ${endpoint} -a message=Who`
    const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: 'pipe' })
    const open = ['ada\n', 'ada@example.com\n', '\n']
    let shown = ''
    let from = 0
    child.stdout.on('data', (chunk) => {
      shown += String(chunk)
      // the prompts end so; the terminal shows again what is typed
      if (!/(?:username|email|\[yes\])[^\n]*: /.test(shown.slice(from))) return
      from = shown.length
      child.stdin.write(open.shift() ?? '')
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(shown).toContain('asks:')
    expect(shown).toContain('"username":"ada"')
  },
)
