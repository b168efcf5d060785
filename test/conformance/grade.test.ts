import { describe, expect, it } from 'vitest'
import type { Accepted } from './accepted.ts'
import { grade, toLines, type Check } from './grade.ts'

const success: Check = { id: 'a', status: 'SUCCESS' }
const accepted: readonly Accepted[] = [
  { scenario: 'streams', check: 'b', status: 'INFO', why: 'there is nothing to stream' },
]

describe('a scenario', () => {
  it.each<[string, readonly Check[], readonly string[]]>([
    ['passes where every check succeeds', [success, success], []],
    ['fails where nothing was checked', [], ['it checked nothing']],
    ['fails with a failure', [success, toCheck('b', 'FAILURE')], ['b is FAILURE: too late']],
    ['fails with a warning', [toCheck('b', 'WARNING')], ['b is WARNING: too late']],
    ['fails with a check that was skipped', [toCheck('b', 'SKIPPED')], ['b is SKIPPED: too late']],
    ['fails with a status of a later suite', [toCheck('b', 'ODD')], ['b is ODD: too late']],
  ])('%s', (_, checks, problems) => {
    expect(grade('other', checks, accepted)).toMatchObject({ problems, notes: [] })
  })

  it('passes with a check that was accepted by name, and says why', () => {
    const graded = grade('streams', [success, toCheck('b', 'INFO')], accepted)
    expect(graded).toMatchObject({ problems: [] })
    expect(toLines(graded)).toMatch(/^pass .*\n +b is INFO, accepted: there is nothing to stream$/)
  })

  it('fails with another status than the accepted one', () => {
    expect(grade('streams', [toCheck('b', 'WARNING')], accepted).problems).toHaveLength(2)
  })

  it('fails where what was accepted has come to succeed', () => {
    const graded = grade('streams', [success], accepted)
    expect(graded.problems).toEqual([expect.stringContaining('Remove it from accepted.ts')])
    expect(toLines(graded)).toMatch(/^FAIL /)
  })
})

function toCheck(id: string, status: string): Check {
  return { id, status, errorMessage: 'too late' }
}
