import type { Budget } from './budget.ts'
import type { ItemComparison } from './item-comparison.ts'

/**
 * Shows a value to the validator as JSON would carry it, without `undefined` members, and spends a
 * step of the budget for each read, so that comparing with every value of an `enum` has an end.
 */
export function createView(
  budget: Budget,
  comparison: ItemComparison,
): (value: unknown) => unknown {
  const views = new Map<object, object>()
  const handler: ProxyHandler<object> = {
    get(target, key) {
      budget.spend()
      const shown = comparison.show(target)
      return shown === undefined ? view(Reflect.get(target, key)) : shown
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      budget.spend(keys.length)
      return keys
    },
  }
  function view(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = views.get(value)
    if (known !== undefined) return known
    // a proxy may not show a frozen object's members as anything but themselves: show a copy's
    const made = new Proxy(copyLevel(value), handler)
    views.set(value, made)
    return made
  }
  return view
}

function copyLevel(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : item))
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
