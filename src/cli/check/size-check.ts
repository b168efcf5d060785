import type { CheckContext } from './check-context.ts'
import { type BundledModule, type WorkerBundle, toSizeText } from './bundle.ts'
import { type CheckOutcome, findingsOf } from './finding.ts'

/**
 * The limit of the platform on all plans, before compression. Limits of the compressed size ended on
 * 2026-09-04: https://developers.cloudflare.com/changelog/post/2026-09-04-increased-worker-size-limit/
 */
const limit = 64 * 1024 * 1024

/** From here on the next package may be too much. */
const warnFrom = 0.8 * limit

/** Compares the size of the Worker with the limit, and finds out what of it each tool brings. */
export function checkBundleSize({ sources }: CheckContext, bundle: WorkerBundle): CheckOutcome {
  const { size, compressedSize, modules } = bundle
  const shares = toShares(
    modules,
    sources.tools.map(({ file }) => file),
  )
  const largest = shares.slice(0, 3).filter(({ share }) => share >= 0.01)
  const largestText = largest.map(
    (one) => `${one.file} ${toSizeText(one.size)} (${Math.round(one.share * 100)}%)`,
  )
  const text = `the Worker has ${toSizeText(size)} of ${toSizeText(limit)}, ${toSizeText(compressedSize)} compressed`
  const owners = largest.length === 0 ? '' : `; what only one tool needs: ${largestText.join(', ')}`
  const create = findingsOf('size', null)
  const details = { size, compressedSize, limit, tools: shares }
  if (size < warnFrom) return { findings: [], notes: [text + owners], details }
  const severity = size > limit ? 'error' : 'warning'
  const message =
    `${text[0]?.toUpperCase()}${text.slice(1)}${owners}. ` +
    `${size > limit ? 'The platform refuses it.' : 'The platform refuses more.'} Replace a large package, ` +
    'or move data to KV, R2 or static assets.'
  return { findings: [create('size', message, { severity })], details }
}

interface ToolShare {
  readonly file: string
  /** The bytes of the modules that no other tool and nothing else needs. */
  readonly size: number
  /** Of the whole bundle. */
  readonly share: number
}

/** Computes what would go with each tool, largest first. */
export function toShares(
  modules: ReadonlyMap<string, BundledModule>,
  tools: readonly string[],
): readonly ToolShare[] {
  const total = [...modules.values()].reduce((all, { size }) => all + size, 0)
  const imported = new Set([...modules.values()].flatMap(({ imports }) => imports))
  const roots = [...modules.keys()].filter((path) => !imported.has(path))
  const shares = tools.map((file) => {
    const others = reach(modules, roots, file)
    const own = [...reach(modules, [file], '')].filter((path) => !others.has(path))
    const size = own.reduce((all, path) => all + (modules.get(path)?.size ?? 0), 0)
    return { file, size, share: total === 0 ? 0 : size / total }
  })
  return shares.toSorted((a, b) => b.size - a.size)
}

/** The modules that some modules need, without those that only `skipped` needs. */
function reach(
  modules: ReadonlyMap<string, BundledModule>,
  from: readonly string[],
  skipped: string,
): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === skipped || found.has(path)) continue
    found.add(path)
    open.push(...(modules.get(path)?.imports ?? []))
  }
  return found
}
