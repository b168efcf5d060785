import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, defineTool, type WorkerOptions } from 'helve'
import { type IdentifiedCaller, custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import type { Made } from '../../spec/registry.ts'
import { createServer, type Reply } from '../../spec/server.ts'
import type { Changes } from '../../support/modern-request.ts'

/*
 * A server whose results contain everything that its code was called with and the number of the run,
 * and callers who may try to get each other's results.
 */

export type Mode = 'workers' | 'colo'
export const modes: readonly Mode[] = ['workers', 'colo']

/** Callers by their tokens. Two are one person, and three have the same scopes. */
export const people: Readonly<Record<string, IdentifiedCaller>> = {
  'ada-1': {
    subject: 'subject-ada',
    scopes: ['admin', 'read'],
    claims: { jti: 'jti-ada-1', beta: true },
  },
  'bob-1': { subject: 'subject-bob', scopes: ['read'], claims: { jti: 'jti-bob-1' } },
  'bob-2': { subject: 'subject-bob', scopes: ['read'], claims: { jti: 'jti-bob-2' } },
  'cyd-1': { subject: 'subject-cyd', scopes: ['read'], claims: { jti: 'jti-cyd-1', beta: true } },
}
export const anonymous = 'anonymous'
export const callers: readonly string[] = [...Object.keys(people), anonymous]

type Params = Readonly<Record<string, unknown>> & { readonly name?: string }

/** A request, and the callers who share its result. */
export interface Thing {
  readonly method: string
  readonly params: Params
  readonly madeFor: 'every caller' | 'each set of entries' | 'each caller'
}

export const things: Readonly<Record<string, Thing>> = {
  'a shared resource': read('it://shared', 'every caller'),
  'a private resource': read('it://private', 'each caller'),
  'a shared template': read('it://shared/a%20b', 'every caller'),
  'a private template': read('it://private/1', 'each caller'),
  'a guarded resource': read('it://guarded', 'each caller'),
  'a concealed resource': read('it://concealed', 'each caller'),
  'a list with guarded and shared rows': list('each set of entries'),
  'a private tool': call('mine', 'each caller'),
  'a shared tool': call('ours', 'every caller'),
  'a shared tool that needs a scope': call('scoped', 'every caller'),
  'a shared tool that is concealed': call('concealed', 'every caller'),
  'a shared tool behind a flag': call('flagged', 'every caller'),
}

export const toldList: Thing = list('each caller')

function read(uri: string, madeFor: Thing['madeFor']): Thing {
  return { method: 'resources/read', params: { uri, name: uri }, madeFor }
}

function list(madeFor: Thing['madeFor']): Thing {
  return { method: 'resources/list', params: {}, madeFor }
}

function call(name: string, madeFor: Thing['madeFor']): Thing {
  return { method: 'tools/call', params: { name, arguments: { n: 1 } }, madeFor }
}

/** Creates the entries; with `isTold` there is another list, whose code gets the caller. */
export function makeThings(isTold = false): Readonly<Record<string, Made>> {
  let runs = 0
  const tell = (what: string, context: object): string => {
    runs += 1
    const told = Object.entries(context).filter(([key]) => !['env', 'signal', 'log'].includes(key))
    return JSON.stringify({ what, keys: Object.keys(context).toSorted(), told, run: `run-${runs}` })
  }
  const rows = (prefix: string) => (context: object) => ({
    resources: [{ uri: `it://${prefix}/1`, name: 'One', description: tell(prefix, context) }],
  })
  const mime = 'application/json'
  const cache = '5m'
  const tool = {
    description: 'Tells.',
    input: z.looseObject({}),
    cache: '5m',
    hints: { readOnly: true },
  } as const
  const shared = { ...tool, shared: true } as const
  return {
    shared: defineResource({
      uri: 'it://shared',
      mime,
      cache,
      shared: true,
      read: (context) => tell('shared', context),
    }),
    mine_too: defineResource({
      uri: 'it://private',
      mime,
      cache,
      read: (context) => tell('private', context),
    }),
    shared_template: defineResource({
      uri: 'it://shared/{id}',
      mime,
      cache,
      shared: true,
      read: (context) => tell('shared template', context),
    }),
    private_template: defineResource({
      uri: 'it://private/{id}',
      mime,
      cache,
      read: (context) => tell('private template', context),
    }),
    guarded: defineResource({
      uri: 'it://guarded',
      mime,
      cache,
      scopes: ['read'],
      read: (context) => tell('guarded', context),
    }),
    hidden: defineResource({
      uri: 'it://concealed',
      mime,
      cache,
      scopes: ['admin'],
      conceal: true,
      read: (context) => tell('concealed', context),
    }),
    rows: defineResource({
      uri: 'it://rows/{id}',
      mime,
      shared: true,
      list: rows('rows'),
      read: () => 'row',
    }),
    ...(isTold && {
      told_rows: defineResource({
        uri: 'it://told/{id}',
        mime,
        list: rows('told'),
        read: () => 'row',
      }),
    }),
    mine: defineTool({ ...tool, run: (context) => tell('mine', context) }),
    ours: defineTool({ ...shared, run: (context) => tell('ours', context) }),
    scoped: defineTool({ ...shared, scopes: ['read'], run: (context) => tell('scoped', context) }),
    concealed: defineTool({
      ...shared,
      scopes: ['admin'],
      conceal: true,
      run: (context) => tell('concealed tool', context),
    }),
    flagged: defineTool({
      ...shared,
      visible: ({ caller }) => caller?.claims['beta'] === true,
      run: (context) => tell('flagged', context),
    }),
  }
}

let versions = 0

/** Starts a server with an empty cache. */
export function serve(
  store: Mode | false,
  made: Readonly<Record<string, Made>> = makeThings(),
  options: Partial<WorkerOptions> = {},
  known: Readonly<Record<string, IdentifiedCaller>> = people,
) {
  versions += 1
  const auth = optionalAuth(
    custom(({ headers }) => {
      const token = (headers.get('Authorization') ?? '').replace('Bearer ', '')
      return Object.hasOwn(known, token) ? (known[token] ?? null) : null
    }),
  )
  // the Cache API outlives a test: each server has a version of its own
  const version = `${store} ${versions} ${crypto.randomUUID()}`
  const server = createServer(
    {
      auth,
      audit: false,
      ...options,
      cache: { ...options.cache, store },
      ...(store === 'colo' && { version }),
    },
    made,
  )
  const ask = async (thing: Pick<Thing, 'method' | 'params'>, who: string, more: Changes = {}) =>
    checkTimes(await server.ask(thing.method, thing.params, toChanges(who, more)))
  return { ...server, ask }
}

/** A request of a caller, with everything in it that no result may depend on. */
function toChanges(who: string, { headers, meta }: Changes): Changes {
  const digits = new TextEncoder().encode(who).toHex()
  const traceId = digits.padEnd(32, 'a')
  return {
    id: `id-${who}`,
    headers: {
      Authorization: who === anonymous ? null : `Bearer ${who}`,
      Cookie: `session=secret-${who}`,
      'X-Custom': `secret-${who}`,
      'User-Agent': `secret-${who}`,
      'Accept-Language': `secret-${who}`,
      ...headers,
    },
    meta: {
      traceparent: `00-${traceId}-aaaaaaaaaaaaaaaa-01`,
      baggage: `who=secret-${who}`,
      progressToken: `secret-${who}`,
      'io.modelcontextprotocol/logLevel': 'debug',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} },
      ...meta,
    },
  }
}

/** Checks that the body, `Cache-Control` and `Age` agree on how long a reply is fresh. */
export function checkTimes(reply: Reply): Reply {
  const { headers, body } = reply
  const control = headers.get('Cache-Control')
  const age = headers.get('Age')
  const { ttlMs = 0, cacheScope = 'private' } = body?.result ?? {}
  const [, scope, seconds] = /^(public|private), max-age=(\d+)$/.exec(control ?? '') ?? []
  if (seconds === undefined) {
    expect(control).toBe('no-store')
    expect(age).toBeNull()
    // the headers of a stream are sent before its result is known
    if (body !== null) expect(ttlMs).toBeLessThan(1000)
  } else {
    expect(reply.status).toBe(200)
    expect(scope).toBe(cacheScope)
    expect(Number(seconds) - Number(age ?? 0)).toBe(Math.floor(ttlMs / 1000))
  }
  const status = headers.get('Cache-Status')
  if (status !== null && seconds !== undefined) {
    const left = Math.floor(ttlMs / 1000)
    expect([`helve; hit; ttl=${left}`, 'helve; fwd=miss']).toContain(status)
  }
  expect(headers.get('Cf-Cache-Status')).toBeNull()
  expect(headers.get('Helve-Made-At')).toBeNull()
  return reply
}

/** Whether a reply came out of the cache. */
export function isHit({ headers }: Reply): boolean {
  return headers.get('Cache-Status')?.startsWith('helve; hit') === true
}

/** A reply without the number of its run, to compare with that of a server without a cache. */
export function toComparable({ status, text, headers }: Reply) {
  const body = withoutOwn(text).replaceAll(/run-\d+/g, 'run-n')
  return { status, body, challenge: headers.get('WWW-Authenticate') }
}

/** A reply without its id and the version of its server. */
export function withoutOwn(text: string): string {
  return text.replace(/"id":"[^"]*"/, '"id":""').replace(/"version":"[^"]*"/, '"version":""')
}

/** The numbers of the runs in a reply; empty where nothing was run. */
export function runsOf({ text }: Reply): string {
  return [...text.matchAll(/run-\d+/g)].join()
}

/** All orders of some values. */
export function permute<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length < 2) return [values]
  return values.flatMap((value, index) =>
    permute(values.toSpliced(index, 1)).map((rest) => [value, ...rest]),
  )
}

/** The text of a read or of a tool's result, or the message of an error. */
export function textOf({ body }: Reply): string {
  const { result, error } = body
  return result?.contents?.[0]?.text ?? result?.content?.[0]?.text ?? error?.message
}

export function toThing(name: string): Thing {
  const thing = things[name]
  if (thing === undefined) throw new Error(`There is no ${name}.`)
  return thing
}

/** Lets work in the background go on. */
export function turn(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
