/*
 * Checks the subjects of commits: `node .ci/subjects.ts main..HEAD`. The area comes first, so that the history of
 * an area can be searched.
 */
import { execFileSync } from 'node:child_process'

const areas = /^[a-z][a-z0-9./-]*(?: [a-z0-9./-]+)?(?:, [a-z][a-z0-9./-]*)*: \S/

/** Says what is wrong with the subject of a commit, or returns `null`. */
export function findSubjectProblem(subject: string): string | null {
  if (/^(?:Merge|Revert) /.test(subject)) return null
  if (!areas.test(subject)) {
    return 'It does not begin with an area. Write, for example, "auth: cache keys for an hour".'
  }
  if (subject.endsWith('.')) return 'It ends with a period. A subject is a heading.'
  return subject.length > 120 ? 'It has more than 120 characters. Move the rest to the body.' : null
}

if (process.argv[1] === import.meta.filename) {
  const range = process.argv[2] ?? 'main..HEAD'
  const subjects = execFileSync('git', ['log', '--format=%s', range, '--'], { encoding: 'utf8' })
  const problems = subjects.split('\n').flatMap((subject) => {
    const problem = subject === '' ? null : findSubjectProblem(subject)
    return problem === null ? [] : [`${subject}\n  ${problem}`]
  })
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
