/*
 * Control sequences as ECMA-48 writes them, with ESC and as single C1 characters: a CSI sequence, a
 * control string (OSC, DCS, SOS, PM, APC) up to its terminator, and any other escape. No class can
 * run over the beginning of the next sequence, so that hostile text costs no more than other text.
 */
const sequence =
  // oxlint-disable-next-line no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\0-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g

/**
 * Removes terminal escape sequences: colors, cursor movements, titles, and the targets of terminal
 * hyperlinks. Of a control string without an end only the beginning goes: what follows may be meant.
 */
export function removeAnsi(text: string): string {
  return text.replace(sequence, '')
}
