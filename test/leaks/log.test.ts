import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  definePrompt,
  defineResource,
  defineTool,
  ToolError,
  type Contents,
  type WorkerOptions,
} from 'helve'
import { toModernRequest } from '../support/modern-request.ts'
import { url } from '../spec/server.ts'
import { callTool, named, serve, type Exit, type Left, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

const described = { description: 'Says.' }
const hints = { readOnly: true } as const
const mime = 'text/plain'
const uri = 'say://x'
const kept = { shared: true, fresh: '5m' } as const

/** Whatever of an author can fail. */
const failing: Readonly<Record<string, (fail: () => never) => Promise<Sent>>> = {
  'a tool': (fail) => callTool(defineTool({ ...described, run: fail })),
  '`ask`': (fail) => callTool(defineTool({ ...described, ask: fail, run: () => 'x' })),
  'a tool that streams'(fail) {
    const say = defineTool({
      ...described,
      run({ progress }) {
        progress(1)
        return fail()
      },
    })
    return callTool(say, {}, { meta: { progressToken: 'p' } })
  },
  'a kept tool': (fail) => {
    return callTool(defineTool({ ...described, hints, cache: '5m', shared: true, run: fail }))
  },
  'a prompt': (fail) => {
    const say = definePrompt({ ...described, messages: fail })
    return serve({ say }).ask('prompts/get', { name: 'say' })
  },
  'a read': (fail) => read({ uri, mime, read: fail }),
  'a kept read': (fail) => read({ uri, mime, ...kept, read: fail }),
  'a list': (fail) => {
    const say = defineResource({ uri: 'say://{id}', mime, list: fail, read: () => 'x' })
    return serve({ say }).ask('resources/list')
  },
  'a kept list': (fail) => {
    const say = defineResource({ uri: 'say://{id}', mime, ...kept, list: fail, read: () => 'x' })
    return serve({ say }).ask('resources/list')
  },
  'a list in a document': (fail) => {
    const say = defineResource({ uri: 'say://{id}', mime, list: fail, read: () => 'x' })
    return serve({ say }).send(new Request(`${url}/resources`))
  },
  'a completer': (fail) => {
    const input = z.object({ a: z.string() })
    const say = definePrompt({ ...described, input, complete: { a: fail }, messages: () => 'x' })
    const ref = { type: 'ref/prompt', name: 'say' }
    return serve({ say }).ask('completion/complete', { ref, argument: { name: 'a', value: '' } })
  },
  '`visible`': (fail) => {
    return callTool(defineTool({ ...described, visible: fail, run: () => 'x' }))
  },
}

const failures = Object.entries(failing).flatMap(([what, say]): Exit[] => [
  {
    name: `an error of ${what}, in the log`,
    into: 'log',
    say: (said) => say(() => raise(new TypeError(said))),
    read: ({ lines }) => lines,
  },
  {
    name: `an error of ${what}, in the reply`,
    isSilent: true,
    say: (said) => say(() => raise(new TypeError(said))),
    read: ({ message }) => message,
  },
])

function raise(error: unknown): never {
  throw error
}

function read(definition: {
  readonly uri: string
  readonly mime: string
  readonly shared?: true
  readonly fresh?: '5m'
  readonly read: () => Contents
}): Promise<Sent> {
  const say = defineResource(definition)
  return serve({ say }).ask('resources/read', { uri: definition.uri }, named(definition.uri))
}

/** What is thrown, and what else says why. */
const thrown: readonly Exit[] = [
  logged('the cause of an error', (said) => {
    return callTool(throws(new TypeError('It fails.', { cause: new Error(said) })))
  }),
  logged('a cause that is no error', (said) => {
    return callTool(throws(new TypeError('It fails.', { cause: { host: said } })))
  }),
  logged('the cause of a ToolError', (said) => {
    return callTool(throws(new ToolError('It fails.', { cause: new Error(said) })))
  }),
  logged('a string that is thrown', (said) => callTool(throws(said))),
  logged('an object that is thrown', (said) => callTool(throws({ code: 42, message: said }))),
  logged('an output that does not fit', (said) => {
    const output = z.object({ a: z.string().refine(() => false, { error: said }) })
    return callTool(defineTool({ ...described, output, run: () => ({ a: 'x' }) }))
  }),
  {
    ...logged('the URI of a read that fails', (said) => {
      return read({ uri: said, mime, read: () => raise(new Error('It fails.')) })
    }),
    by: 'client',
  },
  {
    ...logged('a row that is not of its template', (said) => {
      const resources = [{ uri: `other://${said}`, name: 'x' }]
      const list = () => ({ resources })
      const say = defineResource({ uri: 'say://{id}', mime, list, read: () => 'x' })
      return serve({ say }).ask('resources/list')
    }),
    isSilent: true,
  },
  logged('why requests cannot be counted', (said) => callLimited(said, {}, { limit: 'LIMIT' })),
  logged('why calls of a tool cannot be counted', (said) => {
    return callLimited(said, { limit: 'LIMIT' }, {})
  }),
]

function logged(name: string, say: Exit['say']): Exit {
  return { name: `${name}, in the log`, into: 'log', say, read: ({ lines }) => lines }
}

function throws(error: unknown) {
  return defineTool({ ...described, run: () => raise(error) })
}

/** Calls a tool of a Worker with a rate limit that does not answer. */
function callLimited(said: string, more: object, options: object): Promise<Sent> {
  const definition = { ...described, run: () => 'x' }
  const say = defineTool(Object.assign(definition, more))
  const limit = () => raise(new Error(said))
  return callWith({ LIMIT: { limit } }, serve({ say }, options), 'say')
}

/** Calls a tool of a Worker that has these bindings as well. */
async function callWith(
  bindings: object,
  { worker, context }: ReturnType<typeof serve>,
  name: string,
): Promise<Sent> {
  const [env, ctx] = context()
  const request = toModernRequest(url, 'tools/call', { name }, named(name))
  const response = await worker.fetch(request, Object.assign(env, bindings), ctx)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** What authors write themselves. */
const written: readonly Exit[] = [
  logged('a message of `log`', (said) => {
    return callTool(
      defineTool({
        ...described,
        run({ log }) {
          log.info(said)
          return 'x'
        },
      }),
    )
  }),
  logged('a value in the detail of `log`', (said) => {
    return callTool(
      defineTool({
        ...described,
        run({ log }) {
          log.warning('x', { key: [said] })
          return 'x'
        },
      }),
    )
  }),
  logged('a key in the detail of `log`', (said) => {
    return callTool(
      defineTool({
        ...described,
        run({ log }) {
          log.error('x', { [said]: 1 })
          return 'x'
        },
      }),
    )
  }),
  logged('a message of `log` of a kept tool', (said) => {
    return callTool(
      defineTool({
        ...described,
        hints,
        cache: '5m',
        shared: true,
        run({ log }) {
          log.info(said)
          return 'x'
        },
      }),
    )
  }),
]

const ping = defineTool({ ...described, input: z.looseObject({}), run: () => 'pong' })

/** What the audit repeats of what clients have written. */
const audited: readonly Exit[] = [
  audit('the name of a tool', (said) => ask('tools/call', { name: said }, said)),
  audit('the name of a prompt', (said) => ask('prompts/get', { name: said }, said)),
  audit('the URI of a resource', (said) => ask('resources/read', { uri: said }, said)),
  audit('the prompt of a completion', (said) => {
    const ref = { type: 'ref/prompt', name: said }
    return ask('completion/complete', { ref, argument: { name: 'a', value: '' } })
  }),
  { ...audit('a method', (said) => ask(said, {})), takes: ['secret'] },
  audit('the id of a request', (said) => {
    return serve({ ping }).ask('tools/call', { name: 'ping' }, { id: said })
  }),
  {
    name: 'the name of a tool, in the dataset of the audit',
    by: 'client',
    async say(said) {
      const points: unknown[] = []
      const AUDIT = { writeDataPoint: (point: unknown) => void points.push(point) }
      const server = serve({ ping }, { audit: { dataset: 'AUDIT' } })
      const { status, headers } = await callWith({ AUDIT }, server, said)
      return { status, headers, text: JSON.stringify(points) }
    },
    read: ({ message }) => message,
  },
  audit('a value of the arguments', (said) => call({ key: [said] })),
  audit('a key of the arguments', (said) => call({ [said]: 1 })),
]

function audit(what: string, say: Exit['say']): Exit {
  return {
    name: `${what}, in the audit`,
    into: 'log',
    by: 'client',
    say,
    read: readAudit,
  }
}

/** Among the lines of the audit alone: others may repeat the same. */
function readAudit({ lines }: Left): unknown {
  return lines.filter((line) => typeof line === 'string' && line.includes('"audit"'))
}

function ask(method: string, params: object, header?: string): Promise<Sent> {
  return serve({ ping }).ask(method, params, header === undefined ? {} : named(header))
}

function call(input: object): Promise<Sent> {
  const options: Partial<WorkerOptions> = { audit: { arguments: true } }
  return serve({ ping }, options).ask('tools/call', { name: 'ping', arguments: input })
}

test.each(toRows([...failures, ...thrown, ...written, ...audited]))(
  '%s',
  async (_, exit, poison) => {
    expect(await findLeaks(exit, poison)).toEqual([])
  },
)
