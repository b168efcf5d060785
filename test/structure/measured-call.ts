import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { findFreePort } from '../support/free-port.ts'
import { toModernRequest } from '../support/modern-request.ts'
import { bundleFixture, type Bundle, type Place } from './bundle.ts'

/** What one warm `tools/call` ran. */
export interface MeasuredCall {
  /** The files of `src/` that ran code: those of the frames first, in their order. */
  readonly files: readonly MeasuredFile[]
  /**
   * The calls that lead from `fetch` to the tool's `run`, both included: the frames that a stack would have
   * if nothing were asynchronous. Where the cached entrypoint runs the tool, those of both sides.
   */
  readonly frames: readonly Place[]
}

export interface MeasuredFile {
  readonly file: string
  readonly functions: readonly { readonly name: string; readonly calls: number }[]
}

const key = 'key-of-the-measured-call'
const keys = [{ digest: createHash('sha256').update(key).digest('hex'), subject: 'caller' }]

/** The platform's rate limiter is a binding that JavaScript wraps, and so is this one. */
const rateLimiter = 'export default () => ({ limit: async () => ({ success: true }) })'

const recordedCalls = z.array(z.object({ index: z.number(), stack: z.string() }))
type RecordedCall = z.infer<typeof recordedCalls>[number]

/** Calls the tool of a fixture in workerd until it is warm, and measures one call more. */
export async function measureCall(fixture: 'bare' | 'guarded'): Promise<MeasuredCall> {
  const folder = await mkdtemp(join(tmpdir(), 'measured-call-'))
  const bundle = await bundleFixture(fixture, join(folder, 'registry'))
  const port = await findFreePort()
  await writeFile(join(folder, 'worker.js'), bundle.text)
  await writeFile(join(folder, 'config.capnp'), toConfig(port))
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  const child = spawn(String(binary), ['serve', join(folder, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    await waitForAnswer(`${url}/calls`, Date.now() + 10_000)
    return await measure(url, bundle)
  } finally {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function toConfig(port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2026-11-02",
    bindings = [
      (name = "API_KEYS", text = ${JSON.stringify(JSON.stringify(keys))}),
      (name = "REQUESTS", wrapped = (moduleName = "measured:rate-limiter")),
      (name = "ADDITIONS", wrapped = (moduleName = "measured:rate-limiter")),
    ],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
  extensions = [(modules = [
    (name = "measured:rate-limiter", esModule = ${JSON.stringify(rateLimiter)}, internal = true),
  ])],
);
`
}

async function waitForAnswer(url: string, deadline: number): Promise<void> {
  if (Date.now() > deadline) throw new Error('workerd does not answer.')
  try {
    await (await fetch(url)).body?.cancel()
  } catch {
    await wait(30)
    return waitForAnswer(url, deadline)
  }
}

async function measure(url: string, bundle: Bundle): Promise<MeasuredCall> {
  await callTool(url)
  await callTool(url)
  await takeCalls(url)
  await callTool(url)
  const calls = await takeCalls(url)
  const frames = toFrames(calls, bundle)
  return { files: toFiles(calls, bundle, frames), frames }
}

async function callTool(url: string): Promise<void> {
  const params = { name: 'add', arguments: { first: 20, second: 22 } }
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(toModernRequest(`${url}/mcp`, 'tools/call', params, { headers }))
  const text = await response.text()
  if (!text.includes('"structuredContent":{"sum":42}')) throw new Error(text)
  // a request may go on after its reply: the line in the log, `waitUntil`
  await wait(50)
}

async function takeCalls(url: string): Promise<readonly RecordedCall[]> {
  return recordedCalls.parse(await (await fetch(`${url}/calls`)).json())
}

/** Follows the calls back from `run`, each to the last call of its caller before. */
function toFrames(calls: readonly RecordedCall[], bundle: Bundle): readonly Place[] {
  const frames: Place[] = []
  let first: Place | undefined
  let at = calls.findLastIndex(({ index }) => isRun(bundle.functions[index]))
  while (at >= 0) {
    const call = calls[at]
    first = bundle.functions[call?.index ?? -1]
    if (call === undefined || first === undefined) break
    const { name, file } = first
    if (!isInstrument(file)) frames.unshift({ name, file })
    const caller = findCaller(call, bundle)
    at = calls.slice(0, at).findLastIndex(({ index }) => index === caller)
  }
  if (first?.name === 'fetch' && isInstrument(first.file)) return frames
  throw new Error(`The calls lead back to ${first?.name} in ${first?.file}, and not to fetch.`)
}

function findCaller({ index, stack }: RecordedCall, bundle: Bundle): number {
  // the first two are the recorder and the function itself; what is built in has no place
  const [, , caller] = [...stack.matchAll(/:(\d+):(\d+)\)?$/gm)]
  if (caller !== undefined) return bundle.functionAt(Number(caller[1]), Number(caller[2]))
  const called = bundle.functions[index]
  const isEntrypoint = called?.name === 'fetch' && !isInstrument(called.file)
  // the platform called it: for the entrypoint, or for the function that left it a callback
  return isEntrypoint
    ? bundle.functions.findLastIndex(({ name, file }) => name === 'fetch' && isInstrument(file))
    : (called?.around ?? -1)
}

function isRun(found: Place | undefined): boolean {
  return found?.name === 'run' && found.file.startsWith('test/structure/')
}

/** Whether a file is one of those that measure, and not of a fixture. */
function isInstrument(file: string): boolean {
  return /^test\/structure\/[^/]+$/.test(file)
}

function toFiles(
  calls: readonly RecordedCall[],
  { functions }: Bundle,
  frames: readonly Place[],
): readonly MeasuredFile[] {
  const counts = Map.groupBy(calls, ({ index }) => index)
  const called = functions
    .map(({ name, file }, index) => ({ name, file, calls: counts.get(index)?.length ?? 0 }))
    .filter(({ file, calls: count }) => file.startsWith('src/') && count > 0)
  const byFile = Map.groupBy(called, ({ file }) => file)
  const inOrder = new Set([...frames.map(({ file }) => file), ...[...byFile.keys()].toSorted()])
  return [...inOrder].flatMap((file) => {
    const found = byFile.get(file)
    return found ? [{ file, functions: found }] : []
  })
}
