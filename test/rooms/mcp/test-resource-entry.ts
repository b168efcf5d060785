import type { ResourceEntry } from '../../../src/define/registry.ts'

/** The registry's entry of a resource that every caller may read, with some members changed. */
export function toEntry(uri: string, members: Partial<ResourceEntry> = {}): ResourceEntry {
  return {
    name: uri,
    uri,
    listed: '',
    shared: false,
    ttlMs: 0,
    staleMs: 0,
    asks: false,
    dynamic: false,
    scopes: [],
    conceal: false,
    conditional: false,
    arguments: [],
    load: () => Promise.reject(new Error('not loaded to be found')),
    ...members,
  }
}
