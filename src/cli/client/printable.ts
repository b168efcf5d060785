import { toPrintable } from '../../build/hidden.ts'

/** Makes the text of a server safe for a terminal, and keeps its lines. */
export function toSafeText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(toPrintable).join('    '))
    .join('\n')
}

/** The same in one line, cut to a length. */
export function toSafeLine(text: string, most = 200): string {
  const line = toPrintable(text.trim().replaceAll(/\s+/g, ' '))
  return line.length > most ? `${line.slice(0, most).toWellFormed()}...` : line
}

export function indent(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}
