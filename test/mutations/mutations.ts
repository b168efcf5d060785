/** A small change of meaning, and the tests that should notice it. */
export interface Mutation {
  readonly title: string
  /** Below `src/`. */
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly from: string
  readonly to: string
  readonly project: 'workerd' | 'state' | 'node' | 'leaks'
  readonly tests: readonly string[]
}

export const mutations: readonly Mutation[] = [
  {
    title: 'requests of signed-in callers are counted by their address',
    file: 'mcp/call.ts',
    from: 'return this.callerDigest ?? toClientAddress(this.headers)',
    to: 'return toClientAddress(this.headers)',
    project: 'workerd',
    tests: ['test/rooms/serve/fetch.test.ts', 'test/rooms/mcp/call.test.ts'],
  },
]
