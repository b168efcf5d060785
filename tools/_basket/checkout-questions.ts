import { form } from 'helve'
import * as z from 'zod'
import { toMoney } from '../_money/to-money.ts'
import type { Bill } from './bill.ts'

/** From this total in euros on, the shop asks what the order is for. */
export const largeEur = 500

const payment = z.object({ pay: z.boolean().describe('Pay now') })
const purpose = z.object({
  reason: z.string().min(3).max(200).describe('Such as "wedding present" or "restaurant kitchen"'),
})

/**
 * Returns the questions before a payment. The reason is asked for in a round of its own, so that a user
 * who does not pay is not asked. `confirmed` is the answer to `confirm`, if there is one.
 */
export function toCheckoutQuestions(
  { items, total, totalEur, currency }: Bill,
  confirmed: unknown,
) {
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const what = `${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`
  const pays = payment.safeParse(confirmed).data?.pay === true
  return {
    confirm: form(`Pay ${toMoney(total, currency)} for ${what}?`, payment),
    reason:
      pays && totalEur >= largeEur
        ? form('That is a large order. What is it for?', purpose)
        : undefined,
  }
}
