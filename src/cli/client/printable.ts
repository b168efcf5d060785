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

/** Prints JSON whose texts a terminal does not obey: what it would not show is escaped, which JSON allows. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, at) => {
        const code = character.charCodeAt(at).toString(16)
        return `\\u${code.padStart(4, '0')}`
      }).join(''),
  )
}
