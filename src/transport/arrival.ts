import type { Exchange } from '../wire/exchange.ts'
import type { Inbound } from './answer-message.ts'
import type { Channel } from './channel.ts'

/**
 * What the rooms behind the transport see of a request. A class, because V8 makes the getters of an
 * object literal anew for each object, which takes longer than all the rest of it.
 */
export class Arrival implements Exchange {
  readonly headers: Headers
  readonly env: Cloudflare.Env
  readonly caller: Exchange['caller']
  readonly callerDigest: string | null
  readonly stepUp: Exchange['stepUp']
  readonly mask: Exchange['mask']
  readonly emit: Exchange['emit']
  readonly #ctx: ExecutionContext
  readonly #channel: Channel

  constructor({ request, env, ctx, admitted, mask }: Omit<Inbound, 'accepted'>, channel: Channel) {
    this.headers = request.headers
    this.env = env
    this.caller = admitted.caller
    this.callerDigest = admitted.callerDigest
    this.stepUp = admitted.stepUp
    this.mask = mask
    this.emit = channel.emit
    this.#ctx = ctx
    this.#channel = channel
  }

  // workerd makes a loopback for each export when it is first read, which few requests need
  get exports(): unknown {
    return this.#ctx.exports
  }

  get signal(): AbortSignal {
    return this.#channel.signal()
  }

  waitUntil(work: Promise<unknown>): void {
    this.#ctx.waitUntil(work)
  }
}
