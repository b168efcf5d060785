import { findMissingClasses } from '../../build/classes.ts'
import { type Result, findWarnings, toEntryCount, toPrintableLines } from '../../build/report.ts'
import type { CheckOutcome, Finding } from './finding.ts'

/** Converts what the build finds in the tools and in the main module. */
export function toToolsOutcome(result: Result): CheckOutcome {
  if (result.kind === 'refused') {
    const found = result.refusals.map(({ files, why, code = 'refused' }): Finding => {
      const [file = null] = files
      return { ...toPlaced(code, why), severity: 'error', file }
    })
    return { findings: found }
  }
  const { entries } = result
  const names = entries.map(({ section, key, file }) => ({ section, name: key, file }))
  return {
    findings: findWarnings(result).map(({ code, message }) => toPlaced(code, message)),
    notes: [toEntryCount(entries)],
    details: { entries: names },
  }
}

/** The names of the classes that a fix would add to the configuration and to the main module. */
export function toMissingClasses(result: Result): ReturnType<typeof findMissingClasses> {
  if (result.kind === 'good') return findMissingClasses(result)
  const unexported = result.refusals.some(({ code }) => code === 'missing-export')
  return { undeclared: [], unexported: unexported ? ['Handles', 'Hub', 'Bridge', 'Listings'] : [] }
}

/** Most sentences begin with the place, such as "tools/a.ts:1:2: ". */
function toPlaced(code: string, message: string): Finding {
  const [, file = null, line] =
    /^([^\s:]+\.\w+)(?::(\d+)(?::\d+)?)?(?::| has | imports | is not read)/.exec(message) ?? []
  return {
    check: 'tools',
    severity: 'warning',
    code,
    file,
    line: line === undefined ? null : Number(line),
    message: toPrintableLines(message),
    fixable: false,
  }
}
