const longest = 128

/** What is wrong with a name that clients will call (server/tools, "Tool Names"). */
export function findNameProblems(name: unknown): readonly string[] {
  if (typeof name !== 'string') {
    return [`\`name\` is ${typeof name}, not text. Leave it out to be named after the file.`]
  }
  if (/^[\w.-]+$/.test(name) && name.length <= longest) return []
  const shown = name.length > longest ? `${name.slice(0, 40)}...` : name
  return [
    `${JSON.stringify(shown)} cannot be a name: 1 to ${longest} of A-Z, a-z, 0-9, "_", "." and "-" ` +
      'can. Rename the file, or set `name`.',
  ]
}
