import type { VisibilityOptions, VisibleContext } from '../define/contexts.ts'
import { hasScopes } from '../protocol/caller.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { logIncident } from '../util/log.ts'
import { follow } from '../util/microtasks.ts'
import { runWithin } from './attempt.ts'

/** What the registry knows of an entry that may not be there for everybody. */
export interface Guarded {
  readonly name: string
  readonly scopes: readonly string[]
  readonly conceal: boolean
  /** Its module has to be asked. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: { readonly definition: VisibilityOptions } }>
}

/** How long a list or a call may wait for one flag. */
const patienceMs = 5_000

/** Who looks, for as long as they do. */
type Looking = VisibleContext & Pick<Exchange, 'signal' | 'waitUntil' | 'mask'>

/** Whether an entry is there for a viewer, or would be with more scopes. */
type Visibility = 'visible' | 'hidden' | 'step-up'

/** Decides it, for lists, calls, reads, prompts, completion and subscriptions alike. */
export function toVisibility(entry: Guarded, viewer: Looking): Visibility | Promise<Visibility> {
  if (!hasScopes(viewer.caller, entry.scopes)) return entry.conceal ? 'hidden' : 'step-up'
  return entry.conditional ? askModule(entry, viewer) : 'visible'
}

async function askModule(entry: Guarded, viewer: Looking): Promise<Visibility> {
  const { caller, env } = viewer
  try {
    const { definition } = (await entry.load()).default
    const look = async (): Promise<boolean> => definition.visible?.({ caller, env }) ?? true
    return (await runWithin(patienceMs, viewer, look)) ? 'visible' : 'hidden'
  } catch (error) {
    // a flag that cannot be read, or not soon, hides what it guards
    logIncident(`visible of ${entry.name}`, error, viewer.mask)
    return 'hidden'
  }
}

/** Whether an entry can be seen by everybody, so that nothing about it depends on the caller. */
export function isOpen({ scopes, conditional }: Guarded): boolean {
  return scopes.length === 0 && !conditional
}

/** The entries that a viewer finds in lists. */
export async function filterVisible<Entry extends Guarded>(
  entries: readonly Entry[],
  viewer: Looking,
): Promise<readonly Entry[]> {
  const seen = await Promise.all(entries.map(async (entry) => toVisibility(entry, viewer)))
  return entries.filter((_, index) => seen[index] === 'visible')
}

/**
 * Decides whether a request may go on with the entry that it names: `null` if so, otherwise its end.
 * What is hidden reads like what was never there: `unknown`.
 */
export function refuse(
  entry: Guarded,
  exchange: Exchange,
  unknown: () => Outcome,
): Outcome | null | Promise<Outcome | null> {
  return follow(toVisibility(entry, exchange), (visibility) => {
    switch (visibility) {
      case 'visible':
        return null
      case 'hidden':
        return unknown()
      case 'step-up':
        return fail(exchange.stepUp(entry.scopes))
    }
  })
}
