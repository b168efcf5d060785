/** Something that the person at the terminal can put right: shown as one sentence, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
