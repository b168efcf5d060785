import type { Json } from '../wire/json.ts'
import type { CarriedQuestion } from './question.ts'

/**
 * Keeps a value from the first round to the last, sealed in the state that the client brings back.
 * Its answer is the value as it was first carried, whatever a later round carries: a price that must
 * not move while the user decides, or the token in a {@link link}. Nobody is asked, but the client
 * comes again at least once. The value counts towards the 8 KiB of the state.
 *
 * The specification's page is basic/patterns/mrtr, "InputRequiredResult".
 */
export function carry<Value extends Json>(value: Value): CarriedQuestion<Value> {
  return {
    request: null,
    carried: value,
    read: (answer) => ({ kind: 'answered', answer }),
  }
}
