import { expect, test } from 'vitest'
import { findToolProblems } from '../../../src/cli/kinds/tool-problems.ts'

const good = { description: 'Says hello.', run: () => 'hello' }

test.each([
  ['only what it must have', {}],
  ['all it may have', { title: 'Hello', icons: [], hints: { readOnly: true }, timeout: '20s' }],
  ['members that are undefined', { title: undefined, limit: undefined, hints: undefined }],
  ['a limit that exists', { limit: 'CALLS' }],
])('takes a definition with %s', (_, members) => {
  expect(findToolProblems({ ...good, ...members }, ['CALLS'])).toEqual([])
})

test.each([
  [{ description: undefined }, '`description` is missing'],
  [{ description: '  ' }, '`description` must be text, and not empty.'],
  [{ description: 5 }, '`description` must be text, and not empty.'],
  [{ run: undefined }, '`run` is missing'],
  [{ run: 'hello' }, '`run` is no function.'],
  [{ title: '' }, '`title` must be text, and not empty.'],
  [{ icons: { src: 'x' } }, '`icons` is no list of icons'],
  [{ outputs: {} }, '`outputs` is nothing that a tool has. It has: name, title, description,'],
  [{ constructor: {} }, '`constructor` is nothing that a tool has.'],
  [{ cacheScope: 'public' }, '`cacheScope` is computed from what the list depends on'],
  [{ public: true }, '`public` is computed'],
  [{ inputSchema: {} }, '`inputSchema` is called `input` here.'],
  [{ hints: true }, '`hints` is no object'],
  [{ hints: { readonly: true } }, '`hints` has no readonly. It takes: readOnly, destructive,'],
  [{ hints: { readOnly: 'yes' } }, '`hints` wants true or false for readOnly.'],
  [{ timeout: '20' }, '`timeout` is "20", which is no time limit.'],
  [{ timeout: 20 }, '`timeout` is 20, which is no time limit.'],
  [{ timeout: '0s' }, '`timeout` is "0s", which is no time limit.'],
  [
    { limit: 'CHECKOUTS' },
    '`limit` names no [[ratelimits]] of wrangler.toml: "CHECKOUTS". There are: CALLS.',
  ],
])('refuses %j', (members, start) => {
  const [problem, ...others] = findToolProblems({ ...good, ...members }, ['CALLS'])
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test('says that there is no limit at all', () => {
  const [problem] = findToolProblems({ ...good, limit: 'CALLS' }, [])
  expect(problem).toContain('There are none: add one.')
})

test('finds every problem at once', () => {
  expect(findToolProblems({ title: '', outputs: {} }, [])).toHaveLength(4)
})
