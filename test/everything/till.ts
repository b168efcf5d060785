import { DurableObject } from 'cloudflare:workers'

/** What was paid so far, for {@link file://./tools/once_pay.ts}: it tells one payment from two. */
export class Till extends DurableObject {
  /** Takes a payment and tells the total. */
  pay(amount: number): number {
    const total = this.total() + amount
    this.ctx.storage.kv.put('total', total)
    return total
  }

  total(): number {
    return this.ctx.storage.kv.get<number>('total') ?? 0
  }
}
