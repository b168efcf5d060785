import { expect, test, vi } from 'vitest'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool, type Tool } from '../../../src/define/tool.ts'
import { createServer } from '../../spec/server.ts'

/* What TypeScript refuses, from an author who does not ask it: the log has to say it. */

function logged() {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  return (): string => JSON.stringify(log.mock.calls)
}

function untyped(tool: Tool, run: (context: Record<string, unknown>) => unknown): Tool {
  return { ...tool, definition: Object.assign({ ...tool.definition }, { run }) }
}

const own = defineTool({
  description: 'Is kept.',
  hints: { readOnly: true },
  cache: '1m',
  run: () => '',
})
const shared = defineTool({
  description: 'Is kept.',
  hints: { readOnly: true },
  cache: '1m',
  shared: true,
  run: () => '',
})

test.each(['progress', 'trace', 'use', 'create', 'notify', 'purge'])(
  '%s is not there where results are kept',
  async (name) => {
    const read = logged()
    const tool = untyped(own, (context) => String(context[name]))
    const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
    expect(body.result.isError).toBe(true)
    expect(read()).toContain(`\`${name}\` is not there: it `)
  },
)

test('nor is who calls, where they are kept for everybody', async () => {
  const read = logged()
  const tool = untyped(shared, ({ caller }) => `for ${String(caller)}`)
  const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
  expect(body.result.isError).toBe(true)
  expect(read()).toContain('`caller` is not there: it is not told where the result is `shared`.')
})

test('nor is who reads what is shared', async () => {
  const read = logged()
  const page = defineResource({
    uri: 'it://page',
    mime: 'text/plain',
    shared: true,
    read: () => '',
  })
  const definition = Object.assign(
    { ...page.definition },
    { read: (context: Record<string, unknown>) => `for ${String(context['caller'])}` },
  )
  const params = { uri: 'it://page', name: 'it://page' }
  const server = createServer({}, { page: { ...page, definition } })
  const { body } = await server.ask('resources/read', params)
  expect(body.error.code).toBe(-32603)
  expect(read()).toContain('`caller` is not there')
})

test('what is there can be taken apart and put together as ever', async () => {
  const tool = untyped(own, (context) => JSON.stringify(Object.keys({ ...context }).toSorted()))
  const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
  expect(JSON.parse(body.result.content[0].text)).toEqual([
    'caller',
    'env',
    'input',
    'log',
    'signal',
  ])
})
