import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import type { ListContext } from '../../../src/define/contexts.ts'
import { type Resource, type ResourcePage, defineResource } from '../../../src/define/resource.ts'
import type { CacheStore } from '../../../src/cache/read-through.ts'
import { type JsonObject, isJsonObject } from '../../../src/protocol/json.ts'
import { findMethod } from '../../../src/mcp/methods.ts'
import { ask, createSettings, toLogText, type Asked } from './test-call.ts'

// server/resources, "Listing Resources"; server/utilities/pagination and caching

let errors: MockInstance<typeof console.error>
let notices: MockInstance<typeof console.warn>
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  notices = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  errors.mockRestore()
  notices.mockRestore()
})

const fixed = (uri: string): Resource =>
  defineResource({ uri, mime: 'text/plain', read: () => 'text' })

function rows(
  template: string,
  list: (context: ListContext) => ResourcePage | Promise<ResourcePage>,
): Resource {
  return defineResource({ uri: template, mime: 'text/plain', list, read: () => 'text' })
}

/** Rows `0` to `count - 1` of `{prefix}{id}`, so many at a time. */
function counted(prefix: string, count: number, size: number): Resource {
  return rows(`${prefix}{id}`, ({ cursor }) => {
    const start = Number(cursor ?? 0)
    const ids = Array.from({ length: count }, (_, id) => String(id)).slice(start, start + size)
    const resources = ids.map((id) => ({ uri: prefix + id, name: id }))
    return start + size < count ? { resources, next: String(start + size) } : { resources }
  })
}

async function list(
  resources: Record<string, Resource>,
  params: JsonObject = {},
  more: { readonly page?: number; readonly maxResultBytes?: number } = {},
): Promise<Asked> {
  return ask(createSettings(resources, more), 'resources/list', params)
}

function urisOf({ result }: Asked): readonly unknown[] {
  const listed = result?.['resources']
  if (!Array.isArray(listed)) throw new Error('no list of resources')
  return listed.map((entry: unknown) => (isJsonObject(entry) ? entry['uri'] : null))
}

async function walk(resources: Record<string, Resource>, page?: number): Promise<unknown[][]> {
  const pages: unknown[][] = []
  let cursor: unknown
  do {
    const params = cursor === undefined ? {} : { cursor }
    // oxlint-disable-next-line no-await-in-loop
    const asked = await list(resources, params, page === undefined ? {} : { page })
    pages.push([...urisOf(asked)])
    cursor = asked.result?.['nextCursor']
  } while (cursor !== undefined && pages.length < 50)
  return pages
}

const mixed = {
  z: fixed('a:z'),
  a: fixed('a:a'),
  m: fixed('a:m'),
  orders: counted('order:', 5, 2),
  empty: counted('none:', 0, 2),
  carts: counted('cart:', 3, 10),
  template: fixed('plain:{id}'),
}
const all = [
  ['a:a', 'a:m', 'a:z'],
  ['cart:0', 'cart:1', 'cart:2'],
  ['order:0', 'order:1', 'order:2', 'order:3', 'order:4'],
].flat()

test.each([undefined, 1, 2, 3, 4, 100])(
  'gives every resource of every source exactly once, %s to a page',
  async (page) => {
    expect((await walk(mixed, page)).flat()).toEqual(all)
  },
)

test('is one page, sorted, where no template lists anything', async () => {
  const { z, a, m, template } = mixed
  expect(await walk({ z, a, m, template })).toEqual([['a:a', 'a:m', 'a:z']])
})

test('lists what a row says, and the media type of its template', async () => {
  const orders = rows('order:{id}', () => ({
    resources: [
      { uri: 'order:1', name: 'One', title: 'Order 1', size: 9, annotations: { priority: 1 } },
      { uri: 'order:2', name: 'Two', mime: 'image/png', description: 'A scan.' },
    ],
  }))
  const { result } = await list({ orders })
  expect(result).toEqual({
    resources: [
      {
        uri: 'order:1',
        name: 'One',
        title: 'Order 1',
        mimeType: 'text/plain',
        size: 9,
        annotations: { priority: 1 },
      },
      { uri: 'order:2', name: 'Two', description: 'A scan.', mimeType: 'image/png' },
    ],
    ttlMs: 300_000,
    cacheScope: 'private',
  })
})

test('leaves out rows that could not be read or are listed already', async () => {
  const orders = rows('order:{id}', () => ({
    resources: ['order:1', 'order:a/b', 'other:1', 'order:fixed', 'order:..'].map((uri) => ({
      uri,
      name: uri,
    })),
  }))
  expect(urisOf(await list({ orders, one: fixed('order:fixed') }))).toEqual([
    'order:fixed',
    'order:1',
  ])
  expect(toLogText(notices.mock.calls)).toMatch(/order:{id}.*4 resources were left out/)
})

describe('is public only where nothing in it depends on the caller', () => {
  const shared = defineResource({
    uri: 'order:{id}',
    mime: 'text/plain',
    shared: true,
    list: (context) => ({
      resources: [{ uri: 'order:1', name: String('caller' in context) }],
    }),
    read: () => 'text',
  })
  const own = rows('cart:{id}', (context) => ({
    resources: [{ uri: 'cart:1', name: String('caller' in context) }],
  }))
  test.each([
    ['fixed resources', { a: fixed('a:a') }, 'public'],
    ['templates that list nothing', { a: fixed('a:{b}') }, 'public'],
    ['rows for everybody', { a: fixed('a:a'), shared }, 'public'],
    ['rows for a caller', { own }, 'private'],
    ['both', { shared, own }, 'private'],
  ])('%s', async (_kind, resources, cacheScope) => {
    const { result, cache } = await list(resources)
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope })
    expect(cache).toEqual({ ttlMs: 300_000, cacheScope })
  })

  test('a shared `list` gets no caller', async () => {
    const { result } = await list({ shared, own })
    expect(result?.['resources']).toMatchObject([
      { uri: 'cart:1', name: 'true' },
      { uri: 'order:1', name: 'false' },
    ])
  })
})

test.each([1, null, [], '', 'nonsense', 'b3JkZXI'])('refuses the cursor %j', async (cursor) => {
  expect((await list(mixed, { cursor })).error).toMatchObject({ code: -32602 })
  expect((await list({ a: fixed('a:a') }, { cursor })).error).toMatchObject({ code: -32602 })
})

test('refuses a cursor whose template was removed', async () => {
  const { orders, a } = mixed
  const { result } = await list({ orders, a })
  const { nextCursor: cursor } = result ?? {}
  expect(cursor).toBeTypeOf('string')
  expect((await list({ carts: mixed.carts, a }, { cursor })).error).toMatchObject({ code: -32602 })
})

describe('fails, with an error id, where the only template', () => {
  test.each<[string, () => ResourcePage]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['returns no page', () => JSON.parse('[]')],
    ['returns rows that are no list', () => JSON.parse('{"resources":{"uri":"order:1"}}')],
    ['returns a cursor that is not text', () => JSON.parse('{"resources":[],"next":1}')],
  ])('%s', async (_kind, page) => {
    const { error } = await list({ orders: rows('order:{id}', page) })
    expect(error?.['code']).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('secret')
    expect(errors).toHaveBeenCalledOnce()
  })

  test('returns its own cursor as `next`', async () => {
    const orders = rows('order:{id}', () => ({ resources: [], next: 'again' }))
    const { result } = await list({ orders })
    const { error } = await list({ orders }, { cursor: result?.['nextCursor'] })
    expect(error?.['code']).toBe(-32603)
    expect(toLogText(errors.mock.calls)).toContain('returned its own cursor')
  })
})

describe('where one template fails', () => {
  const failing = rows('bad:{id}', () => {
    throw new Error('secret')
  })
  const huge = rows('huge:{id}', () => ({
    resources: [{ uri: 'huge:1', name: 'x'.repeat(200_000) }],
  }))
  const { a, carts, orders } = mixed

  test.each([
    ['throws', failing],
    ['lists more than fits into a result', huge],
  ])('as it %s, the others are listed, and the list is not cached', async (_kind, wrong) => {
    const asked = await list({ wrong, a, carts, orders })
    const { result, cache } = asked
    expect(urisOf(asked)).toEqual(['a:a', 'cart:0', 'cart:1', 'cart:2', 'order:0', 'order:1'])
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
    expect(cache).toMatchObject({ ttlMs: 0 })
    expect(errors).toHaveBeenCalledOnce()
    expect(toLogText(errors.mock.calls)).toMatch(/list of (?:bad|huge):\{id\}/)
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  test.each([undefined, 1, 2])(
    'each entry of the others is on one page, %s to a page',
    async (page) => {
      const { z, m } = mixed
      const pages = await walk({ failing, z, a, m, carts, orders }, page)
      expect(pages.flat()).toEqual(all)
    },
  )

  test('its later pages may fail too, and the next template follows', async () => {
    const once = rows('bad:{id}', ({ cursor }) => {
      if (cursor !== undefined) throw new Error('secret')
      return { resources: [{ uri: 'bad:1', name: '1' }], next: '2' }
    })
    expect((await walk({ once, carts })).flat()).toEqual(['bad:1', 'cart:0', 'cart:1', 'cart:2'])
  })

  test('all lists that fail are named, and nothing but failures is a failure', async () => {
    const other = rows('worse:{id}', () => Promise.reject(new Error('down')))
    const { error } = await list({ failing, other })
    expect(error?.['code']).toBe(-32603)
    expect(toLogText(errors.mock.calls)).toContain('list of worse:{id}')
    expect(errors).toHaveBeenCalledTimes(2)
  })

  test('a list that never ends is given up in time for the others', async () => {
    const silent = rows('bad:{id}', () => new Promise(() => {}))
    vi.useFakeTimers()
    try {
      const listing = list({ silent, carts })
      await vi.advanceTimersByTimeAsync(20_000)
      expect(urisOf(await listing)).toEqual(['cart:0', 'cart:1', 'cart:2'])
    } finally {
      vi.useRealTimers()
    }
    expect(toLogText(errors.mock.calls)).toContain('list of bad:{id}')
  })
})

describe('a row', () => {
  const listed = async (row: object): Promise<unknown> => {
    const page = { resources: [row, { uri: 'order:2', name: 'Two' }] }
    const { result } = await list({
      orders: rows('order:{id}', () => JSON.parse(JSON.stringify(page))),
    })
    const resources = result?.['resources']
    return Array.isArray(resources) ? resources : []
  }
  const two = { uri: 'order:2', name: 'Two', mimeType: 'text/plain' }
  const one = { uri: 'order:1', name: 'One' }

  test('of a database has members that are null, which are left out', async () => {
    const nothing = { title: null, description: null, mime: null, size: null, icons: null }
    expect(await listed({ ...one, ...nothing, annotations: null })).toEqual([
      { ...one, mimeType: 'text/plain' },
      two,
    ])
    const annotations = { priority: 1, audience: null, lastModified: null }
    const icons = [{ src: 'https://a.example/i.png', sizes: null, theme: null, mimeType: null }]
    expect(await listed({ ...one, annotations, icons })).toEqual([
      {
        ...one,
        mimeType: 'text/plain',
        icons: [{ src: 'https://a.example/i.png' }],
        annotations: { priority: 1 },
      },
      two,
    ])
    expect(errors).not.toHaveBeenCalled()
  })

  test.each([
    [{ annotations: { audience: 'user' } }, { annotations: { audience: ['user'] } }],
    [
      { annotations: { lastModified: '2026-11-30 12:00:00' } },
      { annotations: { lastModified: '2026-11-30T12:00:00Z' } },
    ],
    [
      { icons: [{ src: 'https://a.example/i.png', sizes: '48x48 96x96' }] },
      { icons: [{ src: 'https://a.example/i.png', sizes: ['48x48', '96x96'] }] },
    ],
  ])('with %j is corrected', async (members, corrected) => {
    expect(await listed({ ...one, ...members })).toEqual([
      { ...one, mimeType: 'text/plain', ...corrected },
      two,
    ])
  })

  test.each([
    [{ description: 5 }, '`description` is 5. It must be text.'],
    [{ name: null }, '`name` is null. It must be text.'],
    [{ uri: 'no uri' }, '`uri` is "no uri". It must be a URI'],
    [{ uri: '' }, '`uri` is "". It must be a URI'],
    [{ size: -1 }, '`size` is -1.'],
    [{ size: 1.5 }, '`size` is 1.5.'],
    [{ size: '9' }, '`size` is "9".'],
    [{ annotations: { priority: 5 } }, '`annotations.priority` is 5.'],
    [{ annotations: { audience: ['model'] } }, '`annotations.audience` is an array.'],
    [{ annotations: [] }, '`annotations` is an array.'],
    [{ icons: [{ src: 'javascript:alert(1)' }] }, '`icons[0].src` is "javascript:alert(1)".'],
    [{ icons: [{}] }, '`icons[0].src` is missing.'],
    [{ icons: {} }, '`icons` is an object.'],
  ])('with %j is left out, and the log names it', async (members, why) => {
    expect(await listed({ ...one, ...members })).toEqual([two])
    expect(errors).toHaveBeenCalledOnce()
    const logged = toLogText(errors.mock.calls)
    expect(logged).toContain('list of order:{id}')
    expect(logged).toContain(`1 of 2 resources were left out. resources[0]`)
    expect(logged).toContain(why)
  })

  const circle: Record<string, unknown> = { priority: 1 }
  circle['self'] = circle

  test.each([
    [{ uri: 'order:1', annotations: Object.assign({ priority: 1 }, { more: 1n }) }, /BigInt/],
    [{ uri: 'order:1', annotations: circle }, /circular/],
    [
      { uri: 'order:1', annotations: Object.assign({}, { toJSON: () => ({ priority: 9 }) }) },
      /is 9/,
    ],
    [
      {
        get uri(): string {
          throw new RangeError('no such column')
        },
      },
      /no such column/,
    ],
  ])('that cannot be read or printed is left out alone: %#', async (members, why) => {
    const odd = Object.defineProperties(
      { uri: '', name: 'One' },
      Object.getOwnPropertyDescriptors(members),
    )
    const listed = await list({
      orders: rows('order:{id}', () => ({ resources: [odd, { uri: 'order:2', name: 'Two' }] })),
    })
    expect(urisOf(listed)).toEqual(['order:2'])
    expect(toLogText(errors.mock.calls)).toMatch(why)
  })
})

test('is bounded in size, and says so', async () => {
  const { error } = await list(
    { orders: counted('order:', 500, 500) },
    {},
    { maxResultBytes: 5_000 },
  )
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('5000 bytes') })
})

test('templates are a list of their own', async () => {
  const settings = createSettings(mixed, { page: 3 })
  const first = await ask(settings, 'resources/templates/list')
  const cursor = first.result?.['nextCursor']
  const last = await ask(settings, 'resources/templates/list', { cursor })
  expect([first, last].map(({ result }) => result?.['resourceTemplates'])).toMatchObject([
    [{ uriTemplate: 'cart:{id}' }, { uriTemplate: 'none:{id}' }, { uriTemplate: 'order:{id}' }],
    [{ uriTemplate: 'plain:{id}', name: 'template', mimeType: 'text/plain' }],
  ])
  expect(last.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
})

test('a server without resources has no methods for them', () => {
  const settings = createSettings()
  for (const method of ['resources/list', 'resources/templates/list', 'resources/read']) {
    expect(findMethod({ method, revision: null, settings })).toBeNull()
  }
})

test('is cached apart for callers who see other entries', async () => {
  const partitions: unknown[] = []
  const store: CacheStore = {
    async get(_url, { partition }) {
      partitions.push(partition)
      return null
    },
    purge: async () => {},
  }
  const shared = defineResource({
    uri: 'row:{id}',
    mime: 'text/plain',
    shared: true,
    list: () => ({ resources: [] }),
    read: () => 'text',
  })
  const vault = defineResource({
    uri: 'vault:a',
    mime: 'text/plain',
    scopes: ['admin'],
    read: () => 'text',
  })
  const settings = createSettings({ shared, vault }, { store })
  const listFor = async (...scopes: readonly string[]) =>
    urisOf(
      await ask(settings, 'resources/list', {}, { caller: { subject: 'ann', scopes, claims: {} } }),
    )
  expect(await listFor('admin')).toEqual(['vault:a'])
  expect(await listFor()).toEqual([])
  expect(partitions).toEqual([{ visible: ['vault:a'] }, { visible: [] }])
})
