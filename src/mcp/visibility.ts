import type { VisibilityOptions } from '../define/contexts.ts'
import { type Caller, hasScopes } from '../protocol/caller.ts'
import type { WorkerLog } from '../out/log.ts'
import { ClientGone, Deadline, type WaitingClient } from './deadline.ts'

/** What the registry knows of an entry that may not be there for everybody. */
export interface RestrictedEntry {
  readonly name: string
  readonly scopes: readonly string[]
  readonly conceal: boolean
  /** Its module has a `visible` to be asked. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: { readonly definition: VisibilityOptions } }>
}

/** How long a list or a call may wait for one feature flag. */
const patienceMs = 5_000

/** What of a call decides what it may see. */
export interface Viewer extends WaitingClient {
  readonly caller: Caller | null
  readonly env: Cloudflare.Env
  readonly log: WorkerLog
}

/** Whether an entry is there for a caller, or would be with more scopes. */
type Visibility = 'visible' | 'hidden' | 'step-up'

/** Decides whether a caller sees an entry: for lists, calls, reads, prompts, completions and subscriptions alike. */
export function toVisibility(
  entry: RestrictedEntry,
  viewer: Viewer,
): Visibility | Promise<Visibility> {
  const { scopes } = entry
  // most entries need none
  if (scopes.length > 0 && !hasScopes(viewer.caller, scopes))
    return entry.conceal ? 'hidden' : 'step-up'
  return entry.conditional ? askModule(entry, viewer) : 'visible'
}

async function askModule(entry: RestrictedEntry, viewer: Viewer): Promise<Visibility> {
  const { caller, env } = viewer
  try {
    const { definition } = (await entry.load()).default
    const looking = Promise.resolve(definition.visible?.({ caller, env }) ?? true)
    return (await new Deadline(viewer, patienceMs).within(looking)) ? 'visible' : 'hidden'
  } catch (error) {
    // a flag that cannot be read, or not soon, hides what it guards; nobody is left to see what a
    // client that has gone would see, and that is no fault
    if (!(error instanceof ClientGone)) viewer.log.error(`visible of ${entry.name}`, error)
    return 'hidden'
  }
}

/** Whether everybody can see an entry, so that nothing about it depends on the caller. */
export function isVisibleToAll({ scopes, conditional }: RestrictedEntry): boolean {
  return scopes.length === 0 && !conditional
}

/** The entries that a caller finds in lists. */
export async function filterVisible<Entry extends RestrictedEntry>(
  entries: readonly Entry[],
  viewer: Viewer,
): Promise<readonly Entry[]> {
  const seen = await Promise.all(entries.map(async (entry) => toVisibility(entry, viewer)))
  return entries.filter((_, index) => seen[index] === 'visible')
}
