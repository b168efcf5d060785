import { createCallerDigest } from '../access/caller-digest.ts'
import type { RequestLimit } from '../access/limit.ts'
import type { Guard } from '../access/guard.ts'
import { toClientAddress } from '../kit/client-address.ts'
import type { Exchange } from '../wire/exchange.ts'
import { refuse, type Refusal } from './answer.ts'

/** What the door found out about who is calling. */
export type Admitted = Pick<Exchange, 'caller' | 'callerDigest' | 'stepUp'>

/** Lets a request in, as somebody or as nobody, or refuses it before its body is read. */
export type Door = (
  request: Request,
  env: Cloudflare.Env,
  ctx: ExecutionContext,
) => Admitted | Promise<Admitted | Refusal>

/** Makes the door of the endpoint. Without a guard everybody is nobody in particular. */
export function createDoor(guard: Guard | null, limit: RequestLimit | null): Door {
  const identify = createIdentify(guard)
  if (limit === null) return identify
  return async (request, env, ctx) => {
    const admitted = await identify(request, env, ctx)
    if ('kind' in admitted) return admitted
    const who = admitted.callerDigest ?? toClientAddress(request.headers)
    const limited = await limit(who, env)
    return limited === null ? admitted : refuse({ kind: 'rate-limited', ...limited })
  }
}

function createIdentify(guard: Guard | null): Door {
  if (guard === null) return () => nobody
  const digest = createCallerDigest()
  return async (request, env, ctx) => {
    const admission = await guard.admit(request, env, ctx)
    if (admission.kind === 'refused') return refuse(admission.failure)
    const { caller } = admission
    return {
      caller,
      callerDigest: caller === null ? null : await digest(caller),
      stepUp: (needed) => guard.stepUp(request.url, caller, needed),
    }
  }
}

/** Who asks where nobody had to say. */
export const nobody: Admitted = {
  caller: null,
  callerDigest: null,
  // createWorker refuses to start with scopes and without `auth`
  stepUp: (needed) => ({ kind: 'insufficient-scope', needed, challenge: 'Bearer' }),
}
