/** The scripts without the Arabic letter mark, which is a mark among marks here. */
const rightToLeft =
  '[[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]--\\u061C]'

const mark = '[\\u061C\\u200E\\u200F]'

const control = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'

/** A mark beside a letter of those scripts, and beside no other control. */
const kept = [
  `(?<=${rightToLeft}\\p{M}*)${mark}(?!${control})`,
  `(?<!${control})${mark}(?=${rightToLeft})`,
]

const bidi = new RegExp(`(${kept.join('|')})|${control}`, 'gv')

/**
 * Removes the controls that show text in another order than it is read in: embeddings, overrides and
 * isolates. A single mark stays beside a letter that is written from right to left, where people put
 * it to hold a digit or a full stop in its place.
 */
export function removeBidi(text: string): string {
  return text.replace(bidi, '$1')
}
