/*
 * Helve has no parser of TypeScript, and needs none: it looks for a few forms of modules, and leaves all others
 * alone. What an edit means is checked with esbuild afterwards; see main-module.ts.
 */

/** A string, a template without parts, a comment or a regular expression. */
const blankable =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|(?<=[(,=:[!&|?;{}\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g

/** Replaces the contents of texts and comments by spaces, so that every brace that is left belongs to the code. */
export function toBlanked(source: string): string {
  return source.replaceAll(blankable, (text) => text.replaceAll(/[^\n]/g, ' '))
}

/** Returns the index of what closes the bracket at `start`; -1 if nothing does. */
export function findClosing(blanked: string, start: number): number {
  let depth = 0
  for (let index = start; index < blanked.length; index += 1) {
    const character = blanked.charAt(index)
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (depth === 0) return index
  }
  return -1
}

/** Returns the index after the statement that begins at `start`, with its line break. */
export function findEndOfStatement(blanked: string, start: number): number {
  let index = start
  while (index < blanked.length) {
    const character = blanked.charAt(index)
    if ('([{'.includes(character)) {
      const closing = findClosing(blanked, index)
      if (closing === -1) return blanked.length
      index = closing
    }
    if (character === ';' || (character === '\n' && !continues(blanked, index))) break
    index += 1
  }
  const lineEnd = blanked.indexOf('\n', index)
  return lineEnd === -1 ? blanked.length : lineEnd + 1
}

/** Whether a line break is inside of a statement, such as before `.get()`. */
function continues(blanked: string, index: number): boolean {
  const [before, after] = [blanked.slice(0, index).trimEnd(), blanked.slice(index).trimStart()]
  return /[=,(.<:|&]$/.test(before) || /^[.)?:|&=>]/.test(after)
}

/** Returns the index after the imports at the top of a module, and after the comment that describes it. */
export function findEndOfImports(source: string, blanked: string): number {
  const imports = [...blanked.matchAll(/^import\b(?!\s*\()/gm)]
  const last = imports.at(-1)
  if (last !== undefined) return findEndOfStatement(blanked, last.index)
  // a comment at the top, which may describe the module
  const comment = source.match(/^(?:#![^\n]*\n)?(?:\s*\/\*[^]*?\*\/[ \t]*\n|\s*\/\/[^\n]*\n)*/)
  return comment?.[0].length ?? 0
}
