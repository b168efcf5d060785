import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runHelve } from '../../support/run-helve.ts'
import { startEverything } from './started-everything.ts'

let server: Awaited<ReturnType<typeof startEverything>>
beforeAll(async () => {
  server = await startEverything()
})
afterAll(() => server.stop())

const call = (...args: readonly string[]) => runHelve(['call', ...args, '--url', server.endpoint])

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('helve list', () => {
  test('shows the server, its revisions, and everything it has', async () => {
    const { code, stdout, stderr } = await runHelve(['list', server.endpoint])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(
      `helve-everything 1.0.0 at ${server.endpoint}, asked in revision 2026-07-28, and also speaks 2025-11-25`,
    )
    expect(stdout).toMatch(/^Tools \(\d+\)$/m)
    expect(stdout).toContain(
      [
        '  counter_get',
        '    Tells the value of a counter.',
        '    Hints: reads only',
        '      counter  string, required. The id of a counter, as counter_create returned it.',
      ].join('\n'),
    )
    expect(stdout).toMatch(/^Resources \(\d+\)$/m)
    expect(stdout).toContain('test://static-text')
    expect(stdout).toMatch(/^Resource templates \(\d+\)$/m)
    expect(stdout).toMatch(/^Prompts \(\d+\)$/m)
  })

  test('prints the same as JSON', async () => {
    const { stdout } = await runHelve(['list', server.endpoint, '--json'])
    const all = JSON.parse(stdout)
    expect(Object.keys(all)).toEqual([
      'server',
      'tools',
      'resources',
      'resourceTemplates',
      'prompts',
    ])
    expect(all.tools.length).toBeGreaterThan(40)
    expect(all.server.supportedVersions).toContain('2026-07-28')
  })
})

describe('helve call', () => {
  test('prints the result alone on standard output', async () => {
    expect(await call('test_simple_text')).toEqual({
      code: 0,
      stdout: 'This is a simple text response for testing.\n',
      stderr: '',
    })
    const { stdout } = await call('test_simple_text', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text' }] })
  })

  test('converts arguments to the types of the tool, and sends the headers that repeat them', async () => {
    const { stdout } = await call('test_x_mcp_header', '-a', 'region=süd', '--arg', 'level=3')
    expect(stdout).toBe('Region süd, level 3.\n')
  })

  test('reads all arguments from standard input, and those of --arg above them', async () => {
    const input = JSON.stringify({ region: 'north', level: 1 })
    const args = ['call', 'test_x_mcp_header', server.endpoint, '-i', '-', '-a', 'level=2']
    const { stdout } = await runHelve(args, { input })
    expect(stdout).toBe('Region north, level 2.\n')
  })

  test('shows progress as lines, and log messages, on standard error', async () => {
    expect(await call('test_tool_with_progress')).toMatchObject({
      code: 0,
      stderr: '0/100\n50/100\n100/100\n',
    })
    const { stderr } = await call('test_tool_with_logging')
    expect(stderr).toContain('info test_tool_with_logging: Tool execution started\n')
    expect((await call('test_tool_with_logging', '--log', 'error')).stderr).toBe('')
  })

  test('a tool that fails is exit code 1', async () => {
    const failed = { code: 1, stdout: expect.stringContaining('intentionally returns an error') }
    expect(await call('test_error_handling')).toMatchObject({
      ...failed,
      stderr: 'helve: test_error_handling failed:\n',
    })
    expect(await call('test_error_handling', '--json')).toMatchObject({ ...failed, stderr: '' })
  })

  test('questions are answered by options', async () => {
    const options = ['--answer', 'username=ada', '--answer', 'user.email=ada@example.com']
    const { stdout } = await call('test_elicitation', '-a', 'message=Who?', ...options)
    expect(stdout).toContain('{"action":"accept","content":{"username":"ada",')
    const declined = await call('test_elicitation', '-a', 'message=x', '--answer', 'user=decline')
    expect(declined.stdout).toContain('decline')
    const root = await createFolder()
    const { stdout: roots } = await call('test_input_required_result_list_roots', '--root', root)
    expect(roots).toBe(`Roots: ${pathToFileURL(root).href}\n`)
  })

  test('a model is played by an option', async () => {
    const { stdout } = await call(
      'test_sampling',
      '-a',
      'prompt=x',
      '--answer',
      'response=Hi there',
    )
    expect(stdout).toBe('LLM response: Hi there\n')
  })

  test('a question that nobody can answer says how to answer it', async () => {
    expect(await call('test_elicitation', '-a', 'message=Who are you?')).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'helve: The server asks (`user`): Who are you? Nobody can answer here, since this is not a terminal. ' +
        'Pass --answer username=... --answer email=..., or run the command in a terminal.\n',
    })
  })

  test('an answer that the server does not take is not sent for ever', async () => {
    const options = ['--answer', 'user:={"username": 1}']
    const { code, stderr } = await call('test_elicitation', '-a', 'message=Who?', ...options)
    expect(code).toBe(1)
    expect(stderr).toContain('The server did not take the answer to `user`, and asks: Who?')
  })

  test('folders that were not given are asked for by their option', async () => {
    const { code, stderr } = await call('test_input_required_result_list_roots')
    expect(code).toBe(1)
    expect(stderr).toContain('Pass the folders with --root.')
  })

  test('images and sound are saved, and no file is replaced', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'test_image_content-image.png'), 'mine')
    await symlink('/nowhere/else', join(folder, 'test_image_content-image-2.png'))
    const { stdout } = await call('test_image_content', '--save', folder)
    expect(stdout).toBe(
      `Saved image (image/png, 70 bytes) as ${folder}/test_image_content-image-3.png\n`,
    )
    await call('test_audio_content', '--save', folder)
    expect((await readdir(folder)).toSorted()).toEqual([
      'test_audio_content-audio.wav',
      'test_image_content-image-2.png',
      'test_image_content-image-3.png',
      'test_image_content-image.png',
    ])
    expect(await readFile(join(folder, 'test_image_content-image.png'), 'utf8')).toBe('mine')
    const saved = await readFile(join(folder, 'test_image_content-image-3.png'))
    expect(saved.subarray(1, 4).toString()).toBe('PNG')
  })

  test.each([
    [
      ['test_simple_tex'],
      1,
      'has no tool `test_simple_tex`. The closest one is `test_simple_text`.',
    ],
    [['test_x_mcp_header', '-a', 'level=x'], 2, '`level` is "x", and must be'],
    [
      ['test_x_mcp_header', '-a', 'regio=x'],
      2,
      'has no argument `regio`. The closest one is `region`.',
    ],
    [['test_x_mcp_header', '-a', 'level'], 2, '--arg "level" has no value. Write it as name=value'],
    [['test_x_mcp_header', '-a', 'level:=x'], 2, '`level` is not JSON: '],
    [['test_x_mcp_header', '-a', 'level=1', '-a', 'level=2'], 2, '`level` is given twice'],
    [['test_x_mcp_header', '-i', '/nowhere'], 2, '--input cannot be read: ENOENT'],
    [['test_x_mcp_header', '--log', 'loud'], 2, '--log must be one of debug, info'],
    [['test_x_mcp_header', '-H', 'secret'], 2, 'A --header has no name.'],
    [['test_x_mcp_header', '--answer', 'yes'], 2, '--answer "yes" has no value.'],
    [['test_simple_text', 'http://127.0.0.1:1/mcp'], 2, 'The URL is given twice'],
    [[], 2, '`helve call` needs more arguments.'],
  ])('%j is refused', async (args, code, sentence) => {
    const ran = await call(...args)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(sentence)
  })
})
