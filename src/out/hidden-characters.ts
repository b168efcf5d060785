/** Matches every character that a rule below may remove; few texts have one. */
const suspect =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|\r(?!\n)/u

/** Whether a text may have hidden characters. */
export function mayHide(text: string): boolean {
  return suspect.test(text)
}

/**
 * Removes from a text what a reader does not see but a model or a terminal obeys (server/tools,
 * "Security Considerations"). Half a surrogate pair, which UTF-8 cannot represent, becomes U+FFFD.
 */
export function removeHiddenCharacters(text: string): string {
  if (!suspect.test(text)) return text.toWellFormed()
  // in this order no rule depends on characters that a later rule removes
  const visible = removeTags(removeControls(removeAnsi(text)))
  return removeBidi(removeZeroWidth(removeVariation(visible))).toWellFormed()
}

/*
 * Control sequences of ECMA-48, with ESC or as one C1 character: a CSI sequence, a control string
 * (OSC, DCS, SOS, PM, APC) up to its terminator, or any other escape. No class matches the
 * beginning of the next sequence, so that hostile text takes no longer than other text.
 */
const sequence =
  // oxlint-disable-next-line no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\0-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g

/**
 * Removes terminal escape sequences: colors, cursor movements, titles, and the targets of
 * hyperlinks. Of a control string without an end only the beginning is removed, since the rest may
 * be text.
 */
export function removeAnsi(text: string): string {
  return text.replace(sequence, '')
}

/** Right-to-left scripts, without the Arabic letter mark, which counts as a mark here. */
const rightToLeft =
  '[[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]--\\u061C]'

const mark = '[\\u061C\\u200E\\u200F]'

const bidiControl = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'

/** A single mark beside a letter of these scripts. */
const keptMarks = [
  `(?<=${rightToLeft}\\p{M}*)${mark}(?!${bidiControl})`,
  `(?<!${bidiControl})${mark}(?=${rightToLeft})`,
]

const bidi = createOnce(() => new RegExp(`(${keptMarks.join('|')})|${bidiControl}`, 'gv'))

/**
 * Removes the controls that change the visible order of text: embeddings, overrides and isolates. A
 * single mark beside a right-to-left letter stays, where people use it to place a digit or a full
 * stop.
 */
export function removeBidi(text: string): string {
  return text.replace(bidi(), '$1')
}

// oxlint-disable-next-line no-control-regex
const controlCharacter = /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * Removes control characters except tab, line feed and CR LF. A lone carriage return, with which a
 * terminal overwrites a line, becomes a line feed.
 */
export function removeControls(text: string): string {
  return text.replace(controlCharacter, (found) => (found === '\r' ? '\n' : ''))
}

/*
 * Only the flags of England, Scotland and Wales are recommended for interchange (Unicode UTS #51).
 * Any other tag sequence could spell hidden letters.
 */
const tagged =
  /(\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})|[\u{E0000}-\u{E007F}]/gu

/** Removes tag characters: an invisible copy of ASCII that can hide whole instructions. */
export function removeTags(text: string): string {
  return text.replace(tagged, '$1')
}

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
 * Removes variation selectors. There are 256, so a run of them after one emoji can hide any bytes.
 * One stays after a character that has variants in Unicode.
 */
export function removeVariation(text: string): string {
  return text.replace(variation(), '$1')
}

const ignorable = '\\p{Default_Ignorable_Code_Point}'

/** Scripts in which a joiner or non-joiner changes the shape of a letter or the meaning of a word. */
const joining = [
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Manichaean',
  'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar Tibetan Tai_Tham Balinese Javanese Sundanese',
]

/** Scripts without spaces, in which a zero width space separates words. */
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
 * Removes invisible characters: zero width spaces, word joiners, soft hyphens, fillers, invisible
 * operators. Single ones stay inside words of the languages that need them, such as Persian and
 * Hindi, and inside composed emoji. Bidi controls, tags and variation selectors have their own
 * rules.
 */
export function removeZeroWidth(text: string): string {
  return text.replace(zeroWidth(), '$1')
}

/**
 * Returns a class of the visible characters of scripts, with extensions: the vowel signs of Arabic
 * belong to several.
 */
function toScripts(names: readonly string[]): string {
  const scripts = names.flatMap((line) => line.split(' '))
  return `[[${scripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]--${ignorable}]`
}

const everyIgnorable = /\p{Default_Ignorable_Code_Point}/gu

/** Removes also those invisible characters that a script needs. */
export function removeIgnorable(text: string): string {
  return text.replace(everyIgnorable, '')
}

/** Puts off what takes milliseconds at the start, and what nearly no text needs. */
function createOnce<Value>(create: () => Value): () => Value {
  let value: Value | null = null
  return () => (value ??= create())
}
