import type { Tool } from '../define/tool.ts'
import type { ClaimStatus } from '../objects/stored-claim.ts'
import type { Claims } from '../state/claims.ts'
import { roundLifetime } from './questions/request-state.ts'
import { toErrorMembers } from './tool-result.ts'

/** How much longer than its time limit a run may take before its claim counts as cut off. */
const marginMs = 5_000

/** Whether a tool's work must not be done twice: it asks first, and does something then. */
export function isOnce({ definition }: Tool): boolean {
  const { hints = {} } = definition
  return definition.ask !== undefined && hints.idempotent !== true && hints.readOnly !== true
}

/**
 * Runs a call that has asked questions once, however often its last round is sent: whoever comes
 * again gets the result of the one run. A run that was cut off is never begun anew, as nobody can
 * tell what it had done by then.
 */
export async function runOnce(
  name: string,
  claims: Claims,
  nonce: string,
  limitMs: number,
  run: () => Promise<string>,
): Promise<string> {
  const times = { runMs: limitMs + marginMs, expiresAt: Date.now() + roundLifetime }
  const found = toFound(name, await claims.claim(nonce, times))
  if (found !== null) return found
  const members = await run()
  await claims.finish(nonce, members)
  return members
}

/** The result of a call that was run by an earlier retry, or `null` where none was. */
export async function findRun(name: string, claims: Claims, nonce: string): Promise<string | null> {
  const claim = await claims.look(nonce)
  return claim === null ? null : toFound(name, claim)
}

function toFound(name: string, claim: ClaimStatus): string | null {
  switch (claim.kind) {
    case 'yours':
      return null
    case 'done':
      return claim.result
    case 'running':
      return toErrorMembers(
        `${name} is still being run by an earlier request. Wait for its result.`,
      )
    case 'unknown':
      return toErrorMembers(
        `${name} was begun by an earlier request that broke off, and nobody knows how far it came. ` +
          'It was not run again. Look up what it did before you call it anew.',
      )
  }
}
