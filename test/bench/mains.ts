/** The main module of a Worker that serves so many tools with a peer of Helve. */
export function toPeerMain(peer: string, count: number, withOutput: boolean): string {
  return `import { serve } from './peers/${peer}.js'
import { createTools } from './tools.ts'

export default serve(createTools(${count}), ${withOutput})
`
}

/** The main module of a Worker that serves this registry with Helve; `args` follow the registry. */
export function toHelveMain(registry: string, how = 'helve/serve', ...args: string[]): string {
  return `import { serve } from './${how}.ts'
import { registry } from ${JSON.stringify(registry)}

const worker = serve(${['registry', ...args].join(', ')})

export default { fetch: worker.fetch }
export const { Handles, Hub, Bridge, Listings } = worker
`
}
