/** A check that need not succeed, and why. One that succeeds all the same has no business here. */
export interface Accepted {
  readonly scenario: string
  readonly check: string
  readonly status: 'INFO' | 'SKIPPED'
  readonly why: string
}

export const accepted: readonly Accepted[] = [
  {
    scenario: 'server-sse-multiple-streams',
    check: 'server-sse-streams-functional',
    status: 'INFO',
    why: 'three lists at once are answered as JSON, which has nothing to stream',
  },
]

/** Scenarios that the suite runs besides, of extensions that are not served. */
export const isNotServed = (scenario: string): boolean => scenario.startsWith('tasks-')
