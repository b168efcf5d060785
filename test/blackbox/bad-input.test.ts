import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, inject, it } from 'vitest'
import { readDevLog } from '../support/dev-log.ts'
import { toModernBody, toModernHeaders, toModernRequest } from '../support/modern-request.ts'

const method = 'tools/call'
const params = { name: 'convert_price', arguments: { amount: 1, to: 'USD' } }
const body = toModernBody(method, params)
const headers = toModernHeaders(method, params)

function call(name: string, input: unknown): [string, Record<string, string>] {
  const asked = { name, arguments: input }
  return [toModernBody(method, asked), toModernHeaders(method, asked)]
}

// as a client must send a name that no header can carry
function injected(name: string): [string, Record<string, string>] {
  const [text] = call(name, {})
  return [text, { ...headers, 'Mcp-Name': `=?base64?${Buffer.from(name).toString('base64')}?=` }]
}

/** A good request, made after a bad one. */
async function callAgain(): Promise<unknown> {
  return (await fetch(toModernRequest(inject('endpoint'), method, params))).json()
}

const served = { result: { structuredContent: { amount: 1.17, currency: 'USD' } } }

describe('bad input: a clear error, and the next request is served', () => {
  it.each<[string, [string, Record<string, string>], number, number]>([
    ['text that is not JSON', ['Hello?', headers], 400, -32700],
    ['nothing', ['', headers], 400, -32700],
    ['JSON that ends too early', [body.slice(0, -20), headers], 400, -32700],
    ['2 MiB', [body + ' '.repeat(2 * 1024 * 1024), headers], 413, -32600],
    ['10,000 levels', ['['.repeat(10_000) + ']'.repeat(10_000), headers], 400, -32600],
    ['10,000 levels of arguments', deep(10_000), 400, -32600],
    ['another content type', [body, { ...headers, 'Content-Type': 'text/plain' }], 415, -32600],
    ['a key twice', [body.replace('"id":1', '"id":1,"id":2'), headers], 400, -32600],
    ['a batch', [`[${body}]`, headers], 400, -32600],
    ['a lone surrogate', [body.replace('USD', '\\ud83d'), headers], 400, -32600],
    ['a tool named constructor', call('constructor', {}), 200, -32602],
    ['a tool named __proto__', call('__proto__', {}), 200, -32602],
    ['arguments in an array', call('convert_price', [1, 'EUR', 'USD']), 200, -32602],
    ['a name with a header in it', injected('x\r\nX-Injected: yes'), 200, -32602],
    ['a name that its header does not say', [call('a', {})[0], headers], 400, -32020],
  ])('%s', async (_, [text, sent], status, code) => {
    const reply = await fetch(inject('endpoint'), { method: 'POST', headers: sent, body: text })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('X-Injected')).toBeNull()
    expect(await reply.json()).toEqual(
      expect.objectContaining({
        jsonrpc: '2.0',
        error: expect.objectContaining({ code, message: expect.stringMatching(/\w+ \w+/) }),
      }),
    )
    expect(await callAgain()).toMatchObject(served)
  })

  it.each([
    ['announced', `Content-Length: ${body.length}`, body.slice(0, 50)],
    ['chunked', 'Transfer-Encoding: chunked', `32\r\n${body.slice(0, 50)}\r\n`],
  ])('a client that disconnects in the middle of an %s body', async (_, framing, part) => {
    const { hostname, port, pathname } = new URL(inject('endpoint'))
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = [`POST ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, ...lines, framing]
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}`)
    // long enough for the Worker to be reading when the rest does not come
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
    await once(socket, 'close')
    expect(await callAgain()).toMatchObject(served)
  })

  it('the log has only one line for each request', async () => {
    const url = new URL(inject('endpoint')).origin
    expect(await readDevLog({ url, log: inject('log') })).toEqual([])
  })
})

function deep(levels: number): [string, Record<string, string>] {
  const input = `{"amount":${'['.repeat(levels)}${']'.repeat(levels)},"to":"USD"}`
  return [body.replace('{"amount":1,"to":"USD"}', input), headers]
}
