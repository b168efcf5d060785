import type { Viewer, Visible } from '../define/visible.ts'
import { logIncident } from './incident.ts'

/** What the registry knows of an entry that may not be there for everybody. */
export interface Conditional {
  /** Its module has to be asked. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: { readonly definition: Visible } }>
}

/** Decides whether an entry is there for a viewer. Lists, calls and subscriptions all ask here. */
export async function isVisible(entry: Conditional, { caller, env }: Viewer): Promise<boolean> {
  if (!entry.conditional) return true
  try {
    const { definition } = (await entry.load()).default
    return (await definition.visible?.({ caller, env })) ?? true
  } catch (error) {
    // a flag that cannot be read hides what it guards
    logIncident('visible', error)
    return false
  }
}
