import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { WranglerDev } from './wrangler-dev.ts'

// lines about requests, of wrangler and of Helve; notices of what a tool has told its model already; and wrangler's own proxy,
// which sees a client vanish before the Worker does
const routine =
  /^\[wrangler:info\] [A-Z]+ \S+ \d{3} |^\{"level":"info","what":"audit"|^\S+ \[WARNING\] \{"level":"warn",|Error inside ProxyWorker .*connection lost/

/**
 * What `wrangler dev` printed since it serves, besides the routine: what a Worker logs, and whatever
 * it threw and did not catch.
 */
export async function readDevLog({
  url,
  log,
}: Pick<WranglerDev, 'url' | 'log'>): Promise<readonly string[]> {
  const printed = await readSettled(url, log)
  const [, sinceReady = ''] = printed.split(/Ready on .*\n/)
  return withoutRoutine(sinceReady.split('\n').filter((line) => line.trim() !== ''))
}

/** Leaves out the routine, and with each notice the error that it came with: its indented lines. */
function withoutRoutine(lines: readonly string[]): readonly string[] {
  let isRoutine = false
  return lines.filter((line) => {
    if (/^\S/.test(line)) isRoutine = routine.test(line)
    return !isRoutine
  })
}

// lines come some time after their request: what came before this request's own line is complete
async function readSettled(url: string, log: string): Promise<string> {
  const mark = crypto.randomUUID()
  await (await fetch(`${url}/${mark}`)).body?.cancel()
  return waitFor(mark, log, Date.now() + 10_000)
}

async function waitFor(mark: string, log: string, deadline: number): Promise<string> {
  const printed = stripVTControlCharacters(await readFile(log, 'utf8'))
  if (printed.includes(mark)) return printed
  if (Date.now() > deadline) throw new Error(`wrangler dev did not log a request:\n${printed}`)
  await wait(50)
  return waitFor(mark, log, deadline)
}
