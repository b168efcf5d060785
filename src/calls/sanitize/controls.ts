// oxlint-disable-next-line no-control-regex
const control = /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * Removes the control characters but tab, line feed and the CR LF of files. A lone carriage return,
 * which makes a terminal write over what it has shown, becomes a line feed.
 */
export function removeControls(text: string): string {
  return text.replace(control, (found) => (found === '\r' ? '\n' : ''))
}
