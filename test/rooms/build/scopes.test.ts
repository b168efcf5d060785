import { expect, test } from 'vitest'
import type { Entry } from '../../../src/build/evaluated.ts'
import { inspect } from '../../../src/build/inspect.ts'
import { loadSources } from '../../../src/build/project.ts'
import { findScopeWarnings } from '../../../src/build/scopes.ts'
import { createTemporaryProject, moduleSource, toolSource } from './temporary-project.ts'

function entry(file: string, scopes: readonly string[], visibleScopes?: readonly string[]): Entry {
  const members = { scopes }
  const found = visibleScopes === undefined ? {} : { visibleScopes }
  return {
    section: 'tools',
    key: file,
    uniqueKeys: [],
    file,
    usesJsonSchema: false,
    members,
    ...found,
  }
}

const entriesOf = (...scopes: readonly string[]): readonly Entry[] =>
  scopes.map((scope, index) => entry(`${index}.ts`, [scope]))

test.each([
  ['a letter too few', 'shop:wite', 'shop:write'],
  ['a letter too many', 'shop:writee', 'shop:write'],
  ['another letter', 'shop:wrute', 'shop:write'],
  ['letters that changed places', 'shop:wirte', 'shop:write'],
  ['letters that changed places at the end', 'shop:wriet', 'shop:write'],
  ['another case', 'Shop:Write', 'shop:write'],
  ['another separator', 'shop.write', 'shop:write'],
  ['a plural', 'items:read', 'item:read'],
])('warns of a scope with %s', (_, one, other) => {
  const warnings = findScopeWarnings(entriesOf(one, other, other), true)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`"${one}" (0.ts)`)
  expect(warnings[0]).toContain(`"${other}" (1.ts, 2.ts)`)
})

test.each([
  ['the same', ['shop:write', 'shop:write']],
  ['different', ['shop:write', 'shop:read']],
  ['short', ['a', 'b', 'ab', 'abc', 'abd']],
  ['numbered', ['tier1', 'tier2', 'v1:read', 'v12:read']],
])('does not warn of scopes that are %s', (_, scopes) => {
  expect(findScopeWarnings(entriesOf(...scopes), true)).toEqual([])
})

test('warns of entries with scopes in a Worker without auth', () => {
  const [warning, ...others] = findScopeWarnings([entry('pay.ts', ['shop:write'])], false)
  expect(warning).toContain(
    'has no `auth`, so no caller can have the scopes that these need: pay.ts.',
  )
  expect(others).toEqual([])
  expect(findScopeWarnings([entry('pay.ts', [])], false)).toEqual([])
})

test('reads scopes of tools, resources and prompts, and those that `visible` looks for', async () => {
  const project = await createTemporaryProject({
    'tools/a.ts': toolSource("scopes: ['shop:write'],"),
    'tools/b.ts': toolSource(
      "visible: ({ caller }) => caller?.scopes.includes('shop:wirte') ?? false,",
    ),
    'tools/c.ts': toolSource("visible: ({ caller }) => new Set(caller?.scopes).has('shop:wrte'),"),
    'tools/d.ts': moduleSource(
      'defineResource',
      "uri: 'x://d', mime: 'text/plain', scopes: ['shop:read'], read: () => ''",
    ),
    'tools/e.ts': moduleSource(
      'definePrompt',
      "description: 'E.', scopes: ['shop:raed'], messages: () => ''",
    ),
  })
  const { entries, refusals } = await inspect(await loadSources(project))
  expect(refusals).toEqual([])
  const warnings = findScopeWarnings(entries, true)
  expect(warnings.map((warning) => warning.match(/tools\/\w\.ts/g))).toEqual([
    ['tools/e.ts', 'tools/d.ts'],
    ['tools/b.ts', 'tools/a.ts'],
    ['tools/b.ts', 'tools/c.ts'],
    ['tools/a.ts', 'tools/c.ts'],
  ])
})
