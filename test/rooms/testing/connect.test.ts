import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { ToolError } from 'helve'
import { ClientError, connect } from 'helve/testing'
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { Definitions } from '../../../.helve/registry.ts'
import worker from '../../../src/worker.ts'

const shop = connect(worker, { answers: { confirm: { pay: true } } })
afterEach(() => shop.close())

describe('connect', () => {
  test('has the tools as functions, with their types', async () => {
    const { value } = await shop.tools.create_basket({ currency: 'USD' })
    expectTypeOf(value.basket).toEqualTypeOf<string>()
    const { basket } = value
    await shop.tools.add_item({ basket, sku: 'KN-101' })
    // @ts-expect-error there is no such tool
    await expect(shop.tools.add_items({ basket })).rejects.toThrow(ClientError)
    // @ts-expect-error the product is missing
    await expect(shop.tools.add_item({ basket })).rejects.toThrow(ToolError)
    const { value: bought, asked } = await shop.tools.checkout({ basket })
    expect(bought.total).toBe(104.38)
    expect(asked).toMatchObject([{ kind: 'form', key: 'confirm' }])
  })

  test('answers questions by call, or not at all', async () => {
    const { basket } = (await shop.tools.create_basket({ currency: 'EUR' })).value
    await shop.tools.add_item({ basket, sku: 'KN-101' })
    const paying = shop.tools.checkout({ basket }, { answers: { confirm: 'decline' } })
    await expect(paying).rejects.toThrow('declined')
    await expect(shop.tools.checkout({ basket }, { answers: {} })).rejects.toThrow('`confirm`')
  })

  test('reads resources, whose URIs are checked', async () => {
    const { text } = await shop.read('shop://products/KN-101')
    expect(text).toContain('Chef’s knife')
    // @ts-expect-error the shop has no such resource
    await expect(shop.read('store://catalog')).rejects.toThrow(ClientError)
  })

  test('gets prompts and completes their arguments', async () => {
    const { messages } = await shop.prompts.plan_dinner(
      { dish: 'Ramen', guests: 2 },
      { answers: { diet: { without: 'nuts' } } },
    )
    expect(JSON.stringify(messages)).toContain('Ramen')
    const { values } = await shop.complete(
      { prompt: 'plan_dinner' },
      { name: 'dish', value: 'Mush' },
    )
    expect(values.join()).toContain('isotto')
  })

  test('keeps the log and the audit lines', async () => {
    const before = shop.audit().length
    await shop.tools.convert_price({ amount: 1, from: 'EUR', to: 'USD' })
    expect(shop.audit().slice(before).at(-1)?.fields).toMatchObject({ what: 'audit' })
  })

  test('adds bindings', async () => {
    const away = connect(worker, { env: { GEOCODING_API: 'http://127.0.0.1:1' } })
    vi.spyOn(console, 'warn').mockReturnValue()
    await expect(away.tools.get_weather({ city: 'Vienna' })).rejects.toThrow(ToolError)
    expect(away.log.some(({ severity }) => severity === 'warn')).toBe(true)
  })

  test('awaits notifications', async () => {
    const changes = await shop.watch({ resourceSubscriptions: ['shop://catalog'] })
    expect(changes.filter).toEqual({ resourceSubscriptions: ['shop://catalog'] })
    const waiting = changes.next('resourceUpdated')
    await notify()
    expect(await waiting).toEqual({ kind: 'resourceUpdated', uri: 'shop://catalog' })
    await expect(changes.next('toolsChanged', '50ms')).rejects.toThrow(
      'There was no notification `toolsChanged` within 50ms.',
    )
    changes.stop()
    await expect(changes.next()).rejects.toThrow(/abort/i)
  })

  test('moves the time of handles', async () => {
    const { basket } = (await shop.tools.create_basket({ currency: 'EUR' })).value
    await shop.advance('23h')
    expect((await shop.tools.view_basket({ basket })).value.items).toEqual([])
    await shop.advance('27h')
    await expect(shop.tools.view_basket({ basket })).rejects.toThrow('create_basket')
  })

  test('runs the alarms that are due', async () => {
    const { basket } = (await shop.tools.create_basket({ currency: 'EUR' })).value
    const id = Uint8Array.fromBase64(basket.slice(4), { alphabet: 'base64url' }).toHex()
    const { Handles } = Object(exports)
    const count = async (): Promise<number> =>
      runInDurableObject(
        Handles.get(Handles.idFromString(id)),
        (_: unknown, { storage }: DurableObjectState) => [...storage.kv.list()].length,
      )
    expect(await count()).toBeGreaterThan(0)
    await shop.advance('40d')
    expect(await count()).toBe(0)
  })

  test('moves the time of the cache in front of resources', async () => {
    const read = async (): Promise<string | undefined> => {
      await shop.read('shop://catalog')
      return shop.cache().at(-1)?.status
    }
    expect([await read(), await read()]).toEqual(['MISS', 'HIT'])
    await shop.advance('1h')
    expect(await read()).toBe('UPDATING')
  })

  test('returns to the real time', async () => {
    const before = Date.now()
    await shop.advance('1h')
    expect(Date.now()).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(new Date() instanceof Date && new Date().getTime() > before + 1_000).toBe(true)
    await shop.close()
    expect(Date.now()).toBeLessThan(before + 60_000)
  })

  test('calls what is around the Worker, with a caller that no token vouches for', async () => {
    const app = {
      async fetch(...args: Parameters<typeof worker.fetch>) {
        const { pathname } = new URL(args[0].url)
        return pathname === '/mcp' ? worker.fetch(...args) : new Response('other')
      },
    }
    const ada = connect<Definitions>(app, { caller: 'ada' })
    const { basket } = (await ada.tools.create_basket({ currency: 'EUR' })).value
    await expect(shop.tools.view_basket({ basket })).rejects.toThrow('There is no such basket')
    expect((await ada.tools.view_basket({ basket })).value.items).toEqual([])
  })
})

async function notify(): Promise<void> {
  const ctx = Object({ exports, waitUntil: () => {} })
  await env.FLAGS.put('gift_wrap', 'on')
  await worker.scheduled(Object({}), env, ctx)
}
