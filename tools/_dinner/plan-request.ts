import { dishes } from './dishes.ts'
import type { Season } from './seasons.ts'

export interface Dinner {
  readonly dish: string
  readonly guests: number
  readonly season?: Season | undefined
}

/** Returns the user's message to the model. `without` is what a guest does not eat, in the user's words. */
export function toPlanRequest(
  { dish, guests, season }: Dinner,
  without: string | undefined,
): string {
  const known = dishes.find(({ name }) => name.toLowerCase() === dish.trim().toLowerCase())
  return [
    `Plan a dinner for ${guests}${season === undefined ? '' : ` in ${season}`}, with ${dish} as the main dish.`,
    ...(without === undefined || without.trim() === '' ? [] : [`Leave out: ${without.trim()}.`]),
    'Give a starter and a dessert that go with it, a shopping list with amounts, and a timetable ' +
      'that counts back from sitting down.',
    'Then say what it takes to cook and serve it, and ask which of that I have. Offer the rest from ' +
      'the catalog below, with prices, and only what is in stock.',
    ...(known === undefined ? [] : [`The shop suggests ${known.skus.join(', ')} for this dish.`]),
    'Put nothing into a basket before I say so.',
  ].join('\n\n')
}
