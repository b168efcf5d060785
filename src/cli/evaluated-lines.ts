import type { Evaluated } from './evaluation/evaluated.ts'

/** Picks the evaluation's own lines out of all that workerd printed. */
export function readEvaluatedLines(stdout: string, marker: string): readonly Evaluated[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(marker))
    .map((line): Evaluated => JSON.parse(line.slice(marker.length)))
}
