/**
 * The parameters of a query by name, still encoded, or `null` where the query is not one that
 * `{?a,b}` makes: a name that is not among `names`, one that comes twice, or one without `=`.
 */
export function readUriQuery(
  query: string,
  names: readonly string[],
): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  for (const parameter of query.split('&')) {
    const [, name, value] = /^(\w+)=([\w.~%!'()*-]*)$/.exec(parameter) ?? []
    if (name === undefined || value === undefined) return null
    if (!names.includes(name) || found.has(name)) return null
    found.set(name, value)
  }
  return found
}
