import { readFile } from 'node:fs/promises'

// one line a request; and wrangler's own proxy, which sees a client vanish before the Worker does
const routine = /^\[wrangler:info\] [A-Z]+ \S+ \d{3} |Error inside ProxyWorker .*connection lost/

/**
 * What `wrangler dev` printed since it serves, besides one line a request: what a Worker logs, and
 * whatever it threw that nobody caught.
 */
export async function readDevLog(file: string): Promise<readonly string[]> {
  const [, sinceReady = ''] = (await readFile(file, 'utf8')).split(/Ready on .*\n/)
  return sinceReady.split('\n').filter((line) => line.trim() !== '' && !routine.test(line))
}
