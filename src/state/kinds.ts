import type { HandleEntry, HandleKind } from '../define/handle-kind.ts'

/** The kinds of this Worker, each loaded when an object first needs it. */
export interface Kinds {
  /** @throws {TypeError} where this version of the Worker has no such kind. */
  readonly load: (name: string) => Promise<HandleKind>
  readonly find: (name: string) => Promise<HandleKind | null>
}

export function createKinds(entries: readonly HandleEntry[]): Kinds {
  // a map: the names come over RPC and out of storage
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  async function find(name: string): Promise<HandleKind | null> {
    const entry = byName.get(name)
    return entry === undefined ? null : (await entry.load()).default
  }
  return {
    find,
    async load(name) {
      const kind = await find(name)
      if (kind === null) throw new TypeError(`This version of the Worker has no handle "${name}".`)
      return kind
    },
  }
}
