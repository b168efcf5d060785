/** A check that may be other than a success, and why. One that has come to succeed must be removed. */
export interface Accepted {
  readonly scenario: string
  readonly check: string
  readonly status: 'INFO' | 'SKIPPED'
  readonly why: string
}

/** What the suite has for servers of one revision. */
export interface Requirements {
  readonly revision: string
  /** How many scenarios count toward a pass. */
  readonly scored: number
  /** Scenarios that run besides: pending ones, and ones that were added after the release. */
  readonly unscored: readonly string[]
  readonly accepted: readonly Accepted[]
}

const parallelLists: Accepted = {
  scenario: 'server-sse-multiple-streams',
  check: 'server-sse-streams-functional',
  status: 'INFO',
  why: 'three lists at once are answered as JSON, which has nothing to stream',
}

const recorded = 'the suite records what it sent and received'
const notPolled =
  'a stream stays open until its response: the protocol has dropped polling and resuming'

function polling(check: string, why: string): Accepted {
  return { scenario: 'server-sse-polling', check, status: 'INFO', why }
}

export const requirements: readonly Requirements[] = [
  {
    revision: '2026-07-28',
    scored: 37,
    unscored: [
      'json-schema-2020-12',
      'http-header-validation',
      'http-custom-header-server-validation',
    ],
    accepted: [parallelLists],
  },
  {
    revision: '2025-11-25',
    scored: 30,
    unscored: ['server-session-lifecycle', 'json-schema-2020-12', 'server-sse-polling'],
    accepted: [
      parallelLists,
      polling('outgoing-request', recorded),
      polling('incoming-response', recorded),
      polling('incoming-sse-event', recorded),
      polling('stream-closed', recorded),
      polling('server-sse-disconnect-resume', notPolled),
    ],
  },
]

/** Scenarios that the suite runs as well, of extensions that are not served. */
export const isNotServed = (scenario: string): boolean => scenario.startsWith('tasks-')
