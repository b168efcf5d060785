import * as z from 'zod'
import { env } from 'cloudflare:workers'
import { carry, defineTool, form } from 'helve'
import { expectNoSideEffects } from 'helve/testing'
import { afterEach, expect, test, vi } from 'vitest'

const sure = z.object({ sure: z.boolean() })
afterEach(() => vi.unstubAllGlobals())

test('an `ask` that reads and asks the same is fine, and its `run` is not called', async () => {
  const run = vi.fn<() => string>(() => 'done')
  const tool = defineTool({
    description: 'Asks.',
    input: z.object({ name: z.string() }),
    async ask({ input, env }) {
      await env.FLAGS.get(input.name)
      return { id: carry(1), confirm: form(`Use ${input.name}?`, sure) }
    },
    run,
  })
  const asked = await expectNoSideEffects(tool, {
    input: { name: 'a' },
    answers: { confirm: { sure: true } },
  })
  expect(asked).toMatchObject([{ key: 'confirm', message: 'Use a?' }])
  expect(await expectNoSideEffects(tool, { input: { name: 'a' } })).toHaveLength(1)
  expect(run).not.toHaveBeenCalled()
})

test('an `ask` that writes to a binding is reported', async () => {
  const tool = defineTool({
    description: 'Writes.',
    async ask({ env }) {
      await env.FLAGS.put('asked', 'yes')
      return { confirm: form('Sure?', sure) }
    },
    run: () => 'done',
  })
  await expect(expectNoSideEffects(tool)).rejects.toThrow('`ask` wrote something: FLAGS.put.')
  expect(await env.FLAGS.get('asked')).toBe('yes')
})

function askDatabase(sql: string) {
  const DB = { prepare: () => ({ first: async () => null }) }
  const tool = defineTool({
    description: 'Uses a database.',
    async ask({ env }) {
      await Object(env).DB.prepare(sql).first()
      return { confirm: form('Sure?', sure) }
    },
    run: () => 'done',
  })
  return expectNoSideEffects(tool, { env: Object({ DB }) })
}

test('an `ask` may read from a database, but not write to it', async () => {
  expect(await askDatabase(' select 1')).toHaveLength(1)
  await expect(askDatabase(' insert into a values (1)')).rejects.toThrow(
    '`ask` wrote something: DB.prepare: insert into a values (1).',
  )
})

test('an `ask` that sends something is reported', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  const tool = defineTool({
    description: 'Sends.',
    async ask() {
      await fetch('https://api.example/read')
      await fetch('https://api.example/orders', { method: 'POST' })
      return { confirm: form('Sure?', sure) }
    },
    run: () => 'done',
  })
  await expect(expectNoSideEffects(tool)).rejects.toThrow(
    '`ask` wrote something: fetch: POST https://api.example/orders.',
  )
})

test('an `ask` that words its question anew each time is reported', async () => {
  let times = 0
  const tool = defineTool({
    description: 'Counts.',
    ask: () => ({ confirm: form(`Asked ${(times += 1)} times. Sure?`, sure) }),
    run: () => 'done',
  })
  await expect(expectNoSideEffects(tool)).rejects.toThrow('asked something else the second time')
})

test('an `ask` that fails throws its own error', async () => {
  const fault = new RangeError('It broke.')
  const tool = defineTool({
    description: 'Fails.',
    ask(): Record<never, never> {
      throw fault
    },
    run: () => 'done',
  })
  await expect(expectNoSideEffects(tool)).rejects.toBe(fault)
})
