/** What some rule could be about; nearly no text has it. */
const suspect =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|\r(?!\n)/u

/**
 * Removes from a text what a reader would not see and a model or a terminal would obey. Everything else
 * stays (server/tools, "Security Considerations"); half a surrogate pair, which UTF-8 cannot carry,
 * becomes U+FFFD.
 */
export function removeHiddenCharacters(text: string): string {
  if (!suspect.test(text)) return text.toWellFormed()
  // in an order in which nothing that one rule kept depends on what a later one removes
  const visible = removeTags(removeControls(removeAnsi(text)))
  return removeBidi(removeZeroWidth(removeVariation(visible))).toWellFormed()
}

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

/** The scripts without the Arabic letter mark, which is a mark among marks here. */
const rightToLeft =
  '[[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]--\\u061C]'

const mark = '[\\u061C\\u200E\\u200F]'

const bidiControl = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'

/** A mark beside a letter of those scripts, and beside no other control. */
const keptMarks = [
  `(?<=${rightToLeft}\\p{M}*)${mark}(?!${bidiControl})`,
  `(?<!${bidiControl})${mark}(?=${rightToLeft})`,
]

const bidi = createOnce(() => new RegExp(`(${keptMarks.join('|')})|${bidiControl}`, 'gv'))

/**
 * Removes the controls that show text in another order than it is read in: embeddings, overrides and
 * isolates. A single mark stays beside a letter that is written from right to left, where people put
 * it to hold a digit or a full stop in its place.
 */
export function removeBidi(text: string): string {
  return text.replace(bidi(), '$1')
}

// oxlint-disable-next-line no-control-regex
const controlCharacter = /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * Removes the control characters but tab, line feed and the CR LF of files. A lone carriage return,
 * which makes a terminal write over what it has shown, becomes a line feed.
 */
export function removeControls(text: string): string {
  return text.replace(controlCharacter, (found) => (found === '\r' ? '\n' : ''))
}

/*
 * The flags of England, Scotland and Wales are the only tag sequences that are recommended for
 * interchange (Unicode UTS #51). Any other flag could spell six hidden letters.
 */
const tagged =
  /(\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})|[\u{E0000}-\u{E007F}]/gu

/** Removes tag characters: an invisible copy of ASCII, in which whole instructions can be hidden. */
export function removeTags(text: string): string {
  return text.replace(tagged, '$1')
}

/** One selector after a character that Unicode has variants of. */
const keptSelectors = [
  '(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]',
  // a keycap
  '(?<=[#*0-9])\\uFE0F(?=\\u20E3)',
  '(?<=[\\p{Script=Han}\\p{Sm}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])[\\uFE00-\\uFE03]',
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
  '(?<=[\\u1820-\\u18AA])[\\u180B-\\u180D\\u180F]',
]

const selectors = '[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0080}-\\u{E0FFF}]'

const variation = createOnce(() => new RegExp(`(${keptSelectors.join('|')})|${selectors}`, 'gu'))

/**
 * Removes variation selectors, of which there are 256, as many as a byte has values: a run of them
 * after one emoji carries any text unseen. One stays after a character that it chooses a form of.
 */
export function removeVariation(text: string): string {
  return text.replace(variation(), '$1')
}

const ignorable = '\\p{Default_Ignorable_Code_Point}'

/** Scripts in which a joiner or non-joiner decides how a letter is written, or what a word means. */
const joining = [
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Manichaean',
  'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar Tibetan Tai_Tham Balinese Javanese Sundanese',
]

/** Scripts without spaces, in which a zero width space says where a word ends. */
const unspaced = ['Thai Lao Khmer Myanmar Tibetan Tai_Tham Balinese Javanese']

const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\u{E007F}]'
const others = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'
const variationSelector = '[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0000}-\\u{E0FFF}]'

const zeroWidth = createOnce(() => {
  const joins = toScripts(joining)
  const breaks = toScripts(unspaced)
  const kept = [
    `(?<=${joins})[\\u200C\\u200D]`,
    `(?<=${emoji})\\u200D(?=\\p{Extended_Pictographic})`,
    `(?<=${breaks})\\u200B(?=${breaks})`,
    // the vowel separator of Mongolian, which is not a space
    '(?<=[\\u1820-\\u18AA])\\u180E(?=[\\u1820-\\u18AA])',
  ]
  const removed = `(?!${others}|${variationSelector})[${ignorable}\\uFFF9-\\uFFFB]`
  return new RegExp(`(${kept.join('|')})|${removed}`, 'gv')
})

/**
 * Removes characters that show nothing and can spell anything: zero width spaces, word joiners, soft
 * hyphens, fillers, invisible operators. They stay, one at a time, inside words of the languages that
 * need them, as in Persian and Hindi, and inside emoji that are joined of several. Bidi controls,
 * tags and variation selectors have rules of their own.
 */
export function removeZeroWidth(text: string): string {
  return text.replace(zeroWidth(), '$1')
}

/** The visible characters of scripts: with extensions, as the vowel signs of Arabic are of several. */
function toScripts(names: readonly string[]): string {
  const scripts = names.flatMap((line) => line.split(' '))
  return `[[${scripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]--${ignorable}]`
}

/** Puts off what takes milliseconds at the start, and what nearly no text needs. */
function createOnce<Value>(create: () => Value): () => Value {
  let value: Value | null = null
  return () => (value ??= create())
}
