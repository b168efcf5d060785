import { basename, extname } from 'node:path'
import type { WranglerConfig } from './wrangler-config.ts'

/**
 * Writes the configuration of a workerd that holds these modules and reaches nothing. `newest` is
 * the last compatibility date that this workerd knows; like `wrangler dev`, the build goes no further.
 */
export function toWorkerdConfig(
  files: readonly string[],
  { compatibilityDate, compatibilityFlags, moduleTypes }: WranglerConfig,
  newest: string,
): string {
  const modules = files.map((file) => {
    const type = moduleTypes.get(extname(file)) ?? 'esModule'
    return `(name = ${quote(basename(file))}, ${type} = embed ${quote(basename(file))})`
  })
  const date = compatibilityDate < newest ? compatibilityDate : newest
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "tools", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = ${quote(date)},
      compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}]
    )),
    (name = "internet", network = (allow = []))
  ]
);
`
}

function quote(text: string): string {
  return JSON.stringify(text)
}
