/** Waits for so many milliseconds, whatever happens meanwhile. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Counts from 1 for as long as it is asked, with so many milliseconds between two numbers. */
export async function* ticks(milliseconds: number): AsyncGenerator<number> {
  for (let tick = 1; ; tick += 1) {
    yield tick
    // oxlint-disable-next-line no-await-in-loop
    await wait(milliseconds)
  }
}
