import { expect, test, vi } from 'vitest'
import { definePrompt, defineResource, defineTool } from 'helve'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { findRevision } from '../../../src/protocol/revisions/revisions.ts'
import { type WorkerChanges, answer, createCall, createSettings, membersOf } from './test-call.ts'

const description = 'An entry of this test.'
const icons = [{ src: 'https://a.example/i.png' }]
const entry = { title: 'An entry', description, icons }
const tool = defineTool({ ...entry, run: () => 'ran' })
const made = {
  a: tool,
  b: tool,
  greet: definePrompt({ ...entry, messages: () => 'hello' }),
  notes: defineResource({ ...entry, uri: 'test://notes', mime: 'a/b', read: () => 'notes' }),
  note: defineResource({ ...entry, uri: 'test://notes/{id}', mime: 'a/b', read: () => 'note' }),
}
const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']

function createList(changes: WorkerChanges = {}, all = made) {
  const settings = createSettings(all, changes)
  return async (version: string | null, method: string, params: JsonObject = {}) => {
    const call = createCall(settings, method, params)
    call.revision = version === null ? null : findRevision(version)
    return answer(call)
  }
}

test.each(lists)('%s is printed for each revision', async (method) => {
  const list = createList()
  const textOf = async (version: string | null): Promise<string> =>
    JSON.stringify(membersOf(await list(version, method)))
  const newest = await textOf(null)
  expect(newest).toContain('"icons"')
  expect(await textOf('2025-11-25')).toBe(newest)
  expect(await textOf('2025-06-18')).not.toContain('"icons"')
  expect(await textOf('2025-06-18')).toContain('"title"')
  expect(await textOf('2024-11-05')).not.toContain('"title"')
  expect(await textOf(null)).toBe(newest)
})

test('an entry is converted once for each revision', async () => {
  const revision = findRevision('2025-06-18')
  if (revision === null) throw new Error('There is no such revision.')
  const toListed = vi.spyOn(revision, 'toListed')
  const list = createList()
  await list('2025-06-18', 'tools/list')
  await list('2025-06-18', 'tools/list')
  await list('2025-11-25', 'tools/list')
  expect(toListed).toHaveBeenCalledTimes(2)
  toListed.mockRestore()
})

test('cursors are those of the list itself', async () => {
  const list = createList({ page: 1 })
  const first = membersOf(await list('2025-06-18', 'tools/list'))
  expect(first.tools).toMatchObject([{ name: 'a' }])
  expect(first.nextCursor).toBe(membersOf(await list(null, 'tools/list')).nextCursor)
  const second = membersOf(await list('2024-11-05', 'tools/list', { cursor: first.nextCursor }))
  expect(second.tools).toEqual([{ name: 'b', description, inputSchema: expect.anything() }])
  expect(await list('2025-06-18', 'tools/list', { cursor: 'other' })).toMatchObject({
    failure: { kind: 'invalid-params' },
  })
})

test('callers see the same entries in every revision', async () => {
  let isVisible = false
  const visible = (): boolean => isVisible
  const secret = defineTool({ ...entry, visible, run: () => 'ran' })
  const list = createList({}, { ...made, b: secret })
  for (const seen of [['a'], ['a', 'b'], ['a']]) {
    isVisible = seen.length === 2
    for (const version of [null, '2025-11-25', '2024-11-05']) {
      // oxlint-disable-next-line no-await-in-loop
      const { tools }: { tools: { name: string }[] } = membersOf(await list(version, 'tools/list'))
      expect(tools.map(({ name }) => name)).toEqual(seen)
    }
  }
})
