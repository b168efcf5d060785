import { expect, onTestFailed, test } from 'vitest'
import { toReport } from './call-report.ts'
import { measureCall } from './measured-call.ts'

/*
 * How much a reader has to know to follow one `tools/call`. `node test/structure/call-walk.ts` prints all of it.
 */
test.for([
  { fixture: 'bare', most: { frames: 8, files: 35 } },
  { fixture: 'guarded', most: { frames: 12, files: 46 } },
] as const)('a warm call of the $fixture server runs few files and frames', async (given) => {
  const { fixture, most } = given
  const call = await measureCall(fixture)
  onTestFailed(() => console.error(toReport(fixture, call)))
  expect.soft(call.frames.length).toBeLessThanOrEqual(most.frames)
  expect.soft(call.files.length).toBeLessThanOrEqual(most.files)
})
