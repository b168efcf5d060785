/*
 * Prints what one warm `tools/call` runs: the stack from `fetch` to the tool's `run`, then every file of
 * src/ with its functions and how often each was called. esbuild adds a number to a name that several files
 * have. Usage: node test/structure/call-walk.ts
 */
import { measureCall } from './measured-call.ts'
import { toReport } from './call-report.ts'

const fixtures = ['bare', 'guarded'] as const
const reports = fixtures.map(async (fixture) => toReport(fixture, await measureCall(fixture)))
for (const report of await Promise.all(reports)) console.log(report)
