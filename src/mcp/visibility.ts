import type { VisibilityOptions } from '../define/contexts.ts'
import { type Caller, hasScopes } from '../protocol/caller.ts'
import type { WorkerLog } from '../out/log.ts'
import type { Failure } from '../protocol/failure.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { ClientGone, Deadline, type WaitingClient } from './deadline.ts'

/** The members of a registry entry that decide which callers can see it. */
export interface RestrictedEntry {
  readonly name: string
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: { readonly definition: VisibilityOptions } }>
}

/** Milliseconds that a request waits for one `visible`. */
const patienceMs = 5_000

/** The part of a call that decides which entries are visible. */
export interface Viewer extends WaitingClient {
  readonly caller: Caller | null
  readonly env: Cloudflare.Env
  readonly log: WorkerLog
}

/**
 * `step-up` means that the caller would see the entry with more scopes, and `failed` that its
 * `visible` did not answer: it is hidden, but only for now.
 */
type Visibility = 'visible' | 'hidden' | 'step-up' | 'failed'

/**
 * Decides whether a caller sees an entry. Lists, calls, completions and subscriptions all use this
 * decision.
 */
export function toVisibility(
  entry: RestrictedEntry,
  viewer: Viewer,
): Visibility | Promise<Visibility> {
  const { scopes } = entry
  if (scopes.length > 0 && !hasScopes(viewer.caller, scopes))
    return entry.conceal ? 'hidden' : 'step-up'
  return entry.conditional ? askModule(entry, viewer) : 'visible'
}

/**
 * Returns the outcome for a caller that does not see an entry, which is that of an unknown name unless
 * the caller needs more scopes. `entry` is `null` if it has been checked before.
 */
export async function checkVisible(
  entry: RestrictedEntry | null,
  viewer: Viewer & { stepUp(needed: readonly string[]): Failure },
  toUnknown: () => Outcome,
): Promise<Outcome | null> {
  if (entry === null) return null
  switch (await toVisibility(entry, viewer)) {
    case 'visible':
      return null
    case 'hidden':
    case 'failed':
      return toUnknown()
    case 'step-up':
      return fail(viewer.stepUp(entry.scopes))
  }
}

async function askModule(entry: RestrictedEntry, viewer: Viewer): Promise<Visibility> {
  const { caller, env } = viewer
  try {
    const { definition } = (await entry.load()).default
    const looking = Promise.resolve<unknown>(definition.visible?.({ caller, env }) ?? null)
    const isVisible = await new Deadline(viewer, patienceMs).within(looking)
    // any other value may mean either, such as the text "off" of a feature flag
    if (typeof isVisible !== 'boolean') throw new TypeError(toNeither(isVisible))
    return isVisible ? 'visible' : 'hidden'
  } catch (error) {
    // a client that disconnects is not a fault
    if (error instanceof ClientGone) return 'hidden'
    viewer.log.error(`visible of ${entry.name}`, error)
    return 'failed'
  }
}

function toNeither(returned: unknown): string {
  const kind = returned === null ? 'nothing' : `a value of type ${typeof returned}`
  return `\`visible\` returned ${kind}, which is neither true nor false. The entry is hidden.`
}

/** Whether all callers can see an entry. */
export function isVisibleToAll({
  scopes,
  conditional,
}: Pick<RestrictedEntry, 'scopes' | 'conditional'>): boolean {
  return scopes.length === 0 && !conditional
}

/** The entries that a caller sees. */
export interface VisibleEntries<Entry> {
  readonly visible: readonly Entry[]
  /** Whether no `visible` failed. A list that may lack entries is not cached. */
  readonly isCertain: boolean
}

export async function filterVisible<Entry extends RestrictedEntry>(
  entries: readonly Entry[],
  viewer: Viewer,
): Promise<VisibleEntries<Entry>> {
  const seen = await Promise.all(entries.map(async (entry) => toVisibility(entry, viewer)))
  return {
    visible: entries.filter((_, index) => seen[index] === 'visible'),
    isCertain: !seen.includes('failed'),
  }
}
