import type {
  BucketAnswer,
  BucketRule,
  LeaseAnswer,
  LeaseRule,
  LimitObject,
} from '../objects/stored-limit.ts'

/** What counts calls, exactly and for the whole world; each question is one hop to one object. */
export interface Limits {
  /** `key` says whose bucket it is. */
  readonly take: (key: readonly string[], rule: BucketRule) => Promise<BucketAnswer>
  /** Begins a call that is one of several at once. Its `id` ends it. */
  readonly begin: (key: readonly string[], id: string, rule: LeaseRule) => Promise<LeaseAnswer>
  readonly end: (key: readonly string[], id: string) => Promise<void>
}

/** As much of the namespace of `Handles` as limits need. */
export interface LimitNamespace {
  idFromName(name: string): DurableObjectId
  get(id: DurableObjectId): LimitObject
}

/** The limits of this Worker. The objects are found by name, as whoever calls must find the same. */
export function createLimits(namespace: () => LimitNamespace): Limits {
  const open = (kind: string, key: readonly string[]): LimitObject => {
    const objects = namespace()
    return objects.get(objects.idFromName(JSON.stringify([kind, ...key])))
  }
  return {
    take: (key, rule) => open('limit', key).takeToken(rule),
    begin: (key, id, rule) => open('parallel', key).takeLease(id, rule),
    end: (key, id) => open('parallel', key).endLease(id),
  }
}
