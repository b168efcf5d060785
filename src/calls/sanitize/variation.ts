/** One selector after a character that Unicode has variants of. */
const kept = [
  '(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]',
  // a keycap
  '(?<=[#*0-9])\\uFE0F(?=\\u20E3)',
  '(?<=[\\p{Script=Han}\\p{Sm}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])[\\uFE00-\\uFE03]',
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
  '(?<=[\\u1820-\\u18AA])[\\u180B-\\u180D\\u180F]',
]

const selectors = '[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0080}-\\u{E0FFF}]'

const variation = new RegExp(`(${kept.join('|')})|${selectors}`, 'gu')

/**
 * Removes variation selectors, of which there are 256, as many as a byte has values: a run of them
 * after one emoji carries any text unseen. One stays after a character that it chooses a form of.
 */
export function removeVariation(text: string): string {
  return text.replace(variation, '$1')
}
