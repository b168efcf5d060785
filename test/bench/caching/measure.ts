import { join } from 'node:path'
import type { Ask } from '../ask.ts'
import { bundle } from '../bundle.ts'
import { buildRegistry } from '../helve/project.ts'
import { toHelveMain } from '../mains.ts'
import { measureRounds, type Outcome } from '../rounds.ts'
import { printTable, toLow } from '../statistics.ts'
import { prepare, start, stop } from '../workerd.ts'

const asks: readonly (Ask & { readonly title: string })[] = [
  {
    title: 'a list of 500 rows',
    method: 'resources/list',
    params: {},
    expected: 'bench://products/KN-499',
  },
  {
    title: 'a page of 500 lines',
    method: 'resources/read',
    params: { uri: 'bench://catalog' },
    expected: 'KN-499',
  },
  {
    title: 'a search that checks and prints 100 products',
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'steel' } },
    expected: 'KN-495',
  },
  {
    title: 'a tool that doubles a number',
    method: 'tools/call',
    params: { name: 'double', arguments: { number: 21 } },
    expected: '42',
  },
]

const ways = ['/made', '/behind-listings', '/kept']

/** Measures a server of answers that cost something, made for each request and kept. */
export async function printCaching(folder: string, seconds: number): Promise<void> {
  const registry = buildRegistry(
    join(import.meta.dirname, 'tools'),
    join(import.meta.dirname, '.helve'),
  )
  const { code } = await bundle(toHelveMain(registry, 'caching/serve'))
  const server = await start(prepare('caching', code, folder))
  try {
    const cells = asks.flatMap((ask) => ways.map((path) => ({ server, ask: { ...ask, path } })))
    print(await measureRounds(cells, seconds))
  } finally {
    await stop(server)
  }
}

function print(outcomes: readonly Outcome[]): void {
  console.log('\nAnswers that may be kept, CPU microseconds a request:')
  const rows = asks.map(({ title }, row) => [
    title,
    ...ways.map((_, column) => {
      const cpu = outcomes[row * ways.length + column]?.cpu ?? null
      return cpu === null ? 'refused' : toLow(cpu).toFixed(0)
    }),
  ])
  printTable([['', 'made each time', 'made, behind the entrypoint', 'kept'], ...rows])
}
