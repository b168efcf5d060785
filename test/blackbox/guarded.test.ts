import { readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGuarded, type Guarded, type GuardedCaller } from '../support/guarded.ts'
import { openCall } from '../support/open-call.ts'

/* A server that lets in nobody without a token: the door, what is bound to its caller, what goes out. */
let app: Guarded
let ada: GuardedCaller
let bob: GuardedCaller
beforeAll(async () => {
  app = await startGuarded()
  ada = await app.caller('ada', 'a')
  bob = await app.caller('bob', 'a b')
}, 90_000)
afterAll(() => app.stop())

describe('authentication', () => {
  const metadataUrl = (): string => `${app.url}/.well-known/oauth-protected-resource/mcp`

  it('without a token: 401 with the metadata URL and the scopes for reading', async () => {
    const { status, challenge } = await app.nobody.ask('tools/list')
    expect(status).toBe(401)
    expect(challenge).toBe(`Bearer scope="a b", resource_metadata="${metadataUrl()}"`)
  })

  it('with an expired token: 401 with the reason', async () => {
    const late = await app.caller('late', 'a', -60)
    const { status, challenge } = await late.ask('tools/list')
    expect(status).toBe(401)
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).toContain(`scope="a b", resource_metadata="${metadataUrl()}"`)
  })

  it('without a scope: 403 with all scopes that the call needs', async () => {
    const { status, challenge, body } = await ada.call('tool_needs_a_and_b')
    expect(status).toBe(403)
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain(`scope="a b", resource_metadata="${metadataUrl()}"`)
    expect(body).toMatchObject({ id: 1, error: { message: expect.stringContaining('a') } })
  })

  it('requests a scope beyond reading only when a call needs it', async () => {
    const { status, challenge } = await bob.call('tool_needs_admin')
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="admin"')])
    const chief = await app.caller('chief', 'admin')
    expect((await chief.call('tool_needs_admin')).body).toMatchObject({
      result: { content: [{ text: 'hello' }] },
    })
  })

  it.each(['/mcp', ''])('serves its metadata at the well-known URL with "%s"', async (path) => {
    const url = `${app.url}/.well-known/oauth-protected-resource${path}`
    const response = await fetch(url, { headers: { Origin: 'https://page.example' } })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await response.json()).toEqual({
      resource: app.endpoint,
      resource_name: 'helve-guarded',
      authorization_servers: [app.url],
      scopes_supported: ['a', 'b'],
      bearer_methods_supported: ['header'],
    })
  })
})

describe('bound to its caller:', () => {
  it('a handle: the id of another caller gets the same reply as an unknown id', async () => {
    const created = await ada.call('create_box', { word: 'mine' })
    const { box } = created.body.result.structuredContent
    expect((await ada.call('open_box', { box })).body).toMatchObject({
      result: { structuredContent: { word: 'mine' } },
    })
    const stolen = await bob.call('open_box', { box })
    const madeUp = await bob.call('open_box', { box: `box_${'A'.repeat(43)}` })
    expect(stolen.body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('create_box') }],
    })
    expect(stolen.text).toBe(madeUp.text)
  })

  it('a handle, with any token or client of its caller', async () => {
    const { box } = (await ada.call('create_box', { word: 'mine' })).body.result.structuredContent
    const again = await app.caller('ada', 'b', 300)
    expect((await again.call('open_box', { box })).body.result).toMatchObject({
      structuredContent: { word: 'mine' },
    })
  })

  const yes = { confirm: { action: 'accept', content: { ok: true } } }
  async function begin(who: GuardedCaller): Promise<object> {
    const { requestState } = (await who.call('order', { what: 'tea' })).body.result
    expect(requestState).toEqual(expect.any(String))
    return { inputResponses: yes, requestState }
  }

  it('a requestState: another caller cannot answer the question', async () => {
    const round = await begin(ada)
    const { body } = await bob.call('order', { what: 'tea' }, round)
    expect(body.error.code).toBe(-32602)
    expect(body).not.toHaveProperty('result')
    expect((await ada.call('order', { what: 'tea' }, round)).body.result).toMatchObject({
      structuredContent: { order: expect.any(String) },
    })
  })

  it('a stored result: only its caller receives it again', async () => {
    const round = await begin(ada)
    const { text } = await ada.call('order', { what: 'tea' }, round)
    expect(text).toContain('"order"')
    expect((await ada.call('order', { what: 'tea' }, round)).text).toBe(text)
    expect((await bob.call('order', { what: 'tea' }, round)).body.error.code).toBe(-32602)
  })

  it('a private result: the next caller receives their own', async () => {
    const read = (who: GuardedCaller): Promise<{ body: unknown }> =>
      who.ask('resources/read', { uri: 'guarded://cached-per-caller' })
    for (const who of [ada, bob, ada]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is tested
      expect((await read(who)).body).toMatchObject({
        result: { cacheScope: 'private', ttlMs: 60_000, contents: [{ text: who.subject }] },
      })
    }
  })

  it('a listen stream: it ends with a result when the token expires', async () => {
    const seconds = 4
    const brief = await app.caller('brief', 'a', seconds)
    const notifications = { toolsListChanged: true }
    const changes = { id: 'brief', headers: brief.headers }
    const open = await openCall(app.endpoint, 'subscriptions/listen', { notifications }, changes)
    expect((await open.ended).at(-1)).toMatchObject({
      id: 'brief',
      result: { resultType: 'complete' },
    })
    const end = open.received.at(-1)?.at
    // a token's seconds are whole ones
    expect(end).toBeGreaterThan((seconds - 2) * 1_000)
    expect(end).toBeLessThan((seconds + 6) * 1_000)
  }, 20_000)
})

describe('sanitizing', () => {
  it.each(['result', 'tool-error'])(
    'removes hidden characters and secrets from a %s',
    async (as) => {
      const { text, body } = await ada.call('say_dirty', { as })
      expect(body.result.isError ?? false).toBe(as === 'tool-error')
      const said = body.result.content[0].text
      expect(said).toMatch(/^red and .+\.$/)
      expect(text).not.toContain(app.secret)
    },
  )

  it('sends an error id for a fault of the server, and the log masks the secret', async () => {
    const { text, body } = await ada.call('say_dirty', { as: 'error' })
    const [, errorId = ''] = /Error id: (\S+)\.$/.exec(body.result.content[0].text) ?? []
    expect(text).not.toContain('red')
    const logged = await readLog((line) => line.includes(errorId))
    expect(errorId).not.toBe('')
    expect(logged).toContain('red')
    expect(await readFile(app.log, 'utf8')).not.toContain(app.secret)
  })
})

describe('the log', () => {
  it('has one line of JSON for each request, without arguments, tokens or names', async () => {
    const word = `word-${crypto.randomUUID()}`
    const carol = await app.caller('carol-of-the-log', 'a')
    await carol.call('create_box', { word })
    await carol.call('tool_needs_b')
    const isRefusal = (line: string): boolean => line.includes('insufficient-scope')
    const { caller } = JSON.parse(
      await readLog((line) => isRefusal(line) && line.includes('needs_b')),
    )
    const lines = (await readLines()).filter((line) => line.includes(caller))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ what: 'audit', name: 'create_box', outcome: 'complete', caller }),
      expect.objectContaining({
        what: 'audit',
        name: 'tool_needs_b',
        outcome: 'insufficient-scope',
      }),
    ])
    const all = (await readLines()).join('\n')
    expect(all).not.toContain(word)
    expect(all).not.toContain(carol.subject)
    expect(all).not.toContain(carol.headers['Authorization']?.slice('Bearer '.length))
  })
})

async function readLines(): Promise<readonly string[]> {
  return stripVTControlCharacters(await readFile(app.log, 'utf8')).split('\n')
}

/** Waits for a line of the log: it comes some time after the reply. */
async function readLog(isIt: (line: string) => boolean): Promise<string> {
  return vi.waitFor(async () => {
    const line = (await readLines()).find(isIt)
    if (line === undefined) throw new Error('The log does not have the line.')
    return line
  }, 15_000)
}
