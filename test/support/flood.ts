/** Runs this many times, 25 at once. */
export async function flood<T>(
  times: number,
  run: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = []
  for (let from = 0; from < times; from += 25) {
    const group = Array.from({ length: Math.min(25, times - from) }, (_, index) => from + index)
    // oxlint-disable-next-line no-await-in-loop
    results.push(...(await Promise.all(group.map(run))))
  }
  return results
}
