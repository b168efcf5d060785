const ignorable = '\\p{Default_Ignorable_Code_Point}'

/** Scripts in which a joiner or non-joiner decides how a letter is written, or what a word means. */
const joining = [
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Manichaean',
  'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar Tibetan Tai_Tham Balinese Javanese Sundanese',
]

/** Scripts without spaces, in which a zero width space says where a word ends. */
const unspaced = ['Thai Lao Khmer Myanmar Tibetan Tai_Tham Balinese Javanese']

const joins = toScripts(joining)
const breaks = toScripts(unspaced)
const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\u{E007F}]'

const kept = [
  `(?<=${joins})[\\u200C\\u200D]`,
  `(?<=${emoji})\\u200D(?=\\p{Extended_Pictographic})`,
  `(?<=${breaks})\\u200B(?=${breaks})`,
  // the vowel separator of Mongolian, which is no space
  '(?<=[\\u1820-\\u18AA])\\u180E(?=[\\u1820-\\u18AA])',
]

const others = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'
const variation = '[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0000}-\\u{E0FFF}]'

const zeroWidth = new RegExp(
  `(${kept.join('|')})|(?!${others}|${variation})[${ignorable}\\uFFF9-\\uFFFB]`,
  'gv',
)

/**
 * Removes characters that show nothing and can spell anything: zero width spaces, word joiners, soft
 * hyphens, fillers, invisible operators. They stay, one at a time, inside words of the languages that
 * need them, as in Persian and Hindi, and inside emoji that are joined of several. Bidi controls,
 * tags and variation selectors have rules of their own.
 */
export function removeZeroWidth(text: string): string {
  return text.replace(zeroWidth, '$1')
}

/** The visible characters of scripts: with extensions, as the vowel signs of Arabic are of several. */
function toScripts(names: readonly string[]): string {
  const scripts = names.flatMap((line) => line.split(' '))
  return `[[${scripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]--${ignorable}]`
}
