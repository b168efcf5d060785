import type {
  BucketReply,
  BucketRule,
  LeaseReply,
  LeaseRule,
  LimitObject,
} from '../objects/stored-limit.ts'

/** Exact, global limits. Each method calls one object, which `key` names. */
export interface Limits {
  readonly takeToken: (key: readonly string[], rule: BucketRule) => Promise<BucketReply>
  /** Takes a lease for one of several parallel calls; `endLease` with the same `id` ends it. */
  readonly takeLease: (key: readonly string[], id: string, rule: LeaseRule) => Promise<LeaseReply>
  readonly endLease: (key: readonly string[], id: string) => Promise<void>
}

export interface LimitNamespace {
  idFromName(name: string): DurableObjectId
  get(id: DurableObjectId): LimitObject
}

/** Creates the Worker's side of limits. Objects are found by name: every isolate must find the same. */
export function createLimits(objects: LimitNamespace): Limits {
  const open = (kind: string, key: readonly string[]): LimitObject =>
    objects.get(objects.idFromName(JSON.stringify([kind, ...key])))
  return {
    takeToken: (key, rule) => open('limit', key).takeToken(rule),
    takeLease: (key, id, rule) => open('parallel', key).takeLease(id, rule),
    endLease: (key, id) => open('parallel', key).endLease(id),
  }
}
