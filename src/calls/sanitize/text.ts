import { removeAnsi } from './ansi.ts'
import { removeBidi } from './bidi.ts'
import { removeControls } from './controls.ts'
import { removeTags } from './tags.ts'
import { removeVariation } from './variation.ts'
import { removeZeroWidth } from './zero-width.ts'

/** What some rule could be about; nearly no text has it. */
const suspect =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|\r(?!\n)/u

/**
 * Removes from a text what a reader would not see and a model or a terminal would obey. Whatever else
 * it says, it says still (server/tools, "Security Considerations").
 */
export function sanitizeText(text: string): string {
  if (!suspect.test(text)) return text
  // in an order in which nothing that one rule kept depends on what a later one removes
  const visible = removeTags(removeControls(removeAnsi(text)))
  return removeBidi(removeZeroWidth(removeVariation(visible)))
}
