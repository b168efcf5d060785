/** An error that the person at the terminal can fix: printed as one sentence, without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
}

/** Anything can be thrown, not only an `Error`. */
export function toErrorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
