import { describe, expect, test } from 'vitest'
import { type WranglerEdit, editWranglerConfig } from '../../../../src/cli/edit/wrangler-edit.ts'

const migration: WranglerEdit = {
  kind: 'append',
  path: ['migrations'],
  value: { tag: 'v2', new_sqlite_classes: ['Bridge'] },
}
const command: WranglerEdit = { kind: 'set', path: ['build', 'command'], value: 'helve build' }

const toml = (text: string, ...edits: readonly WranglerEdit[]): Promise<string | null> =>
  editWranglerConfig('wrangler.toml', text, edits)
const jsonc = (text: string, ...edits: readonly WranglerEdit[]): Promise<string | null> =>
  editWranglerConfig('wrangler.jsonc', text, edits)

describe('in TOML', () => {
  test('a table is added after the last one of its array', async () => {
    const text = `# top
[[migrations]] # first
tag = "v1"
new_sqlite_classes = [
  "Handles", # one of two
  "Hub",
] # end

# the cache
[cache]
enabled = true
`
    expect(await toml(text, migration)).toBe(
      text.replace(
        '\n# the cache',
        '\n[[migrations]]\ntag = "v2"\nnew_sqlite_classes = ["Bridge"]\n\n# the cache',
      ),
    )
  })

  test('a table and a section that are missing are added at the end', async () => {
    expect(await toml('name = "a"', migration, command)).toBe(`name = "a"

[[migrations]]
tag = "v2"
new_sqlite_classes = ["Bridge"]

[build]
command = "helve build"
`)
  })

  test('a key is added to its section, after the other keys', async () => {
    const text = '[build] # build\ncwd = "." # here\n\n# vars\n[vars]\nA = """\n[build]\n"""\n'
    expect(await toml(text, command)).toBe(
      text.replace('# here\n', '# here\ncommand = "helve build"\n'),
    )
  })

  test.each([
    ['command = "make" # now', 'command = "helve build" # now'],
    ["command = '''\nmake # not a comment\n'''", 'command = "helve build"'],
    ['"command" = "make"', '"command" = "helve build"'],
  ])('the value of %j is replaced', async (line, changed) => {
    expect(await toml(`[build]\n${line}\n`, command)).toBe(`[build]\n${changed}\n`)
  })

  test('a dotted key is the same as a key in a section', async () => {
    expect(await toml('build.command = "make"\n', command)).toBe('build.command = "helve build"\n')
  })

  test('a key of the root is added above the first section', async () => {
    const edit: WranglerEdit = { kind: 'set', path: ['main'], value: 'a.ts' }
    expect(await toml('name = "a"\n\n[vars]\nA = "1"\n', edit)).toBe(
      'name = "a"\nmain = "a.ts"\n\n[vars]\nA = "1"\n',
    )
    expect(await toml('[vars]\nA = "1"\n', edit)).toBe('main = "a.ts"\n[vars]\nA = "1"\n')
  })

  test('an environment has tables of its own', async () => {
    const edit: WranglerEdit = {
      kind: 'append',
      path: ['env', 'a b', 'ratelimits'],
      value: { name: 'CALLS', namespace_id: '1', simple: { limit: 1, period: 60 } },
    }
    expect(await toml('name = "a"\n', edit)).toBe(`name = "a"

[[env."a b".ratelimits]]
name = "CALLS"
namespace_id = "1"
simple = { limit = 1, period = 60 }
`)
  })

  test.each([
    ['build = { cwd = "." }\n', command],
    ['migrations = [{ tag = "v1" }]\n', migration],
    ['broken', command],
    ['[build]\n[[build.command]]\na = 1\n', command],
  ])('%j has no safe place for the edit', async (text, edit) => {
    expect(await toml(text, edit)).toBeNull()
  })

  test('line breaks stay those of Windows', async () => {
    expect(await toml('name = "a"\r\n[build]\r\ncwd = "."\r\n', command)).toBe(
      'name = "a"\r\n[build]\r\ncwd = "."\r\ncommand = "helve build"\r\n',
    )
  })
})

describe('in JSON with comments', () => {
  test('an element looks as the one before, and comments stay where they are', async () => {
    const text = `{
\t// who
\t"name": "a", /* name */
\t"migrations": [
\t\t{ "tag": "v1", "new_sqlite_classes": ["Handles"] }, // first
\t],
}
`
    expect(await jsonc(text, migration)).toBe(
      text.replace(
        '// first\n',
        '// first\n\t\t{ "tag": "v2", "new_sqlite_classes": ["Bridge"] },\n',
      ),
    )
  })

  test('members and lists that are missing are added with the indent of the file', async () => {
    const text = '{\n    "name": "a" // end\n}\n'
    expect(await jsonc(text, migration, command)).toBe(`{
    "name": "a", // end
    "migrations": [
        {
            "tag": "v2",
            "new_sqlite_classes": ["Bridge"]
        }
    ],
    "build": {
        "command": "helve build"
    }
}
`)
  })

  test.each([
    [
      '{ "name": "a", "build": { "cwd": "." } }',
      '"cwd": "."',
      '"cwd": ".", "command": "helve build"',
    ],
    ['{\n  "build": {}\n}', '{}', '{\n    "command": "helve build"\n  }'],
    ['{\n  "build": {\n    // none yet\n  }\n}', 'yet\n', 'yet\n    "command": "helve build"\n'],
    ['{ "build": { "command": "make" /* now */ } }', '"make"', '"helve build"'],
  ])('%j gets the member', async (text, before, after) => {
    expect(await jsonc(text, command)).toBe(text.replace(before, after))
  })

  test.each(['{ "build": "make" }', '[]', '{ "build": ', ''])(
    '%j has no safe place for the edit',
    async (text) => {
      expect(await jsonc(text, command)).toBeNull()
    },
  )

  test('line breaks stay those of Windows', async () => {
    expect(await jsonc('{\r\n  "build": {\r\n    "cwd": "."\r\n  }\r\n}\r\n', command)).toBe(
      '{\r\n  "build": {\r\n    "cwd": ".",\r\n    "command": "helve build"\r\n  }\r\n}\r\n',
    )
  })
})
