/** The completers for what is no argument or variable, each in a sentence. */
export function findStrayCompleters(
  completers: object | undefined,
  names: readonly string[],
): readonly string[] {
  const known = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`
  return Object.keys(completers ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => `\`complete\` has "${name}", which nothing is called. ${known}`)
}
