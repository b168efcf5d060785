import { joinsNext, joinsPrevious, styledEmoji, variants, viramas } from './unicode-tables.ts'

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
  return removeJoiners(removeBidi(removeZeroWidth(removeVariation(visible)))).toWellFormed()
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

/** Letters of right-to-left scripts. */
const rightToLeft =
  '[[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFF\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]&&\\p{L}]'

const mark = '[\\u061C\\u200E\\u200F]'

const bidiControl = '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'

/** A single mark at the edge of a word in these scripts, where it places a digit or a full stop. */
const keptMarks = [
  `(?<=${rightToLeft}\\p{M}*)${mark}(?!${bidiControl}|[\\p{L}\\u200C\\u200D])`,
  `(?<!${bidiControl}|[\\p{L}\\u200C\\u200D][\\p{M}\\u2066-\\u2069]*)${mark}(?=${rightToLeft})`,
]

const bidi = createOnce(() => toRule('[\\u061C\\u200E\\u200F\\u202A-\\u202E]', keptMarks))

/**
 * Removes the controls that change the visible order of text: embeddings, overrides, and those isolates
 * that {@link removeIsolates} does not keep. A single mark stays at the edge of a word.
 */
export function removeBidi(text: string): string {
  const marked = text.replace(bidi(), '$1')
  return isolateControl.test(marked) ? removeIsolates(marked) : marked
}

const isolateControl = /[\u2066-\u2069]/

/** An isolate without others inside, within a paragraph; or any other control of isolates. */
const isolate = /([\u2066-\u2068])([^\u2066-\u2069\n\r\u2029]+)\u2069|[\u2066-\u2069]/g

const isRightToLeft = createOnce(() => new RegExp(rightToLeft, 'v'))

/**
 * Keeps an isolate around whole words, as programs put it around a name in a sentence. The direction that
 * it sets must be that of its text, so that no text looks like another one.
 */
function removeIsolates(text: string): string {
  const innermost = text.replace(isolate, (all, open?: string, inner?: string) =>
    open === undefined || inner === undefined ? '' : all,
  )
  return innermost.replace(isolate, (all, open: string, inner: string, at: number) => {
    const end = at + all.length
    const [letter = ''] = /\p{L}/u.exec(inner) ?? []
    const isTrue = open === '\u2068' || (open === '\u2067') === isRightToLeft().test(letter)
    const [first = ''] = /[\p{L}\p{N}]/u.exec(inner) ?? []
    const [, last = ''] = /([\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(inner) ?? []
    const [, before = ''] = wordBefore.exec(innermost.slice(Math.max(at - 16, 0), at)) ?? []
    const [, after = ''] = wordAfter.exec(innermost.slice(end, end + 16)) ?? []
    const isWhole = !isSameWord(before, first) && !isSameWord(last, after)
    return isTrue && isWhole && first !== '' ? all : inner
  })
}

const wordBefore = /([\p{L}\p{N}])\p{M}*[\u2066-\u2069]*$/u
const wordAfter = /^[\u2066-\u2069]*([\p{L}\p{N}])/u

/** A prefix of another direction may be joined to a name, as in Hebrew. */
function isSameWord(before: string, after: string): boolean {
  if (before === '' || after === '') return false
  return isRightToLeft().test(before) === isRightToLeft().test(after)
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

const selectors = '[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0080}-\\u{E0FFF}]'

const variation = createOnce(() => {
  const kept = [
    `(?<=${readRanges(styledEmoji)})[\\uFE0E\\uFE0F]`,
    // a keycap
    '(?<=[#*0-9])\\uFE0F(?=\\u20E3)',
    ...variants.map((bases, at) => `(?<=${readRanges(bases)})\\uFE0${at}`),
    // the forms of a Mongolian letter
    '(?<=[\\u1820-\\u18AA])[\\u180B-\\u180D\\u180F]',
    '(?<=(\\p{Script=Han}))[\\uFE00-\\uFE02]',
  ]
  return toRule(selectors, kept)
})

/**
 * Removes variation selectors. There are 256, so one after each character can hide any bytes. One stays
 * where Unicode has a variant with it, but for the registered forms of Han characters: the list of them is
 * much larger than this program, and what they mean does not depend on the form.
 */
export function removeVariation(text: string): string {
  return text.replace(variation(), (selector, kept = '', base?: string) =>
    base === undefined || compatibilityForms().has(base + selector) ? kept : '',
  )
}

/** The standardized variants of Han characters stand for the compatibility characters, in their order. */
const compatibilityForms = createOnce(() => {
  const forms = new Set<string>()
  const points = [...toPoints(0xf900, 0xfad9), ...toPoints(0x2f800, 0x2fa1d)]
  for (const point of points) {
    const character = String.fromCodePoint(point)
    const base = character.normalize('NFD')
    const selector = ['\uFE00', '\uFE01', '\uFE02'].find((one) => !forms.has(base + one))
    if (base !== character && selector !== undefined) forms.add(base + selector)
  }
  return forms
})

function toPoints(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

const ignorable = '\\p{Default_Ignorable_Code_Point}'

/** Blocks of scripts with conjuncts: from Devanagari to Sinhala, Myanmar, Khmer, and so on. */
const conjoining =
  '[\\u0900-\\u0DFF\\u1000-\\u109F\\u1700-\\u17FF\\u1A20-\\u1AAF\\u1B00-\\u1C4F\\uA800-\\uA82F' +
  '\\uA880-\\uA8FF\\uA930-\\uA95F\\uA980-\\uA9FF\\uAA60-\\uAA7F\\uAAE0-\\uAAFF\\uABC0-\\uABFF' +
  '\\u{10A00}-\\u{10A5F}\\u{11000}-\\u{11FFF}\\u{16100}-\\u{1613F}]'

/** Scripts without spaces, in which a zero width space separates words. */
const unspaced = ['Thai Lao Khmer Myanmar Tibetan Tai_Tham Balinese Javanese']

/** What other rules are for. */
const others =
  '[\\u061C\\u180B-\\u180D\\u180F\\u200C-\\u200F\\u202A-\\u202E\\u2066-\\u2069\\uFE00-\\uFE0F\\u{E0000}-\\u{E0FFF}]'

const zeroWidth = createOnce(() => {
  const breaks = toScripts(unspaced)
  const kept = [
    `(?<=${breaks})\\u200B(?=${breaks})`,
    // the vowel separator of Mongolian, which is not a space
    '(?<=[\\u1820-\\u18AA])\\u180E(?=[\\u1820-\\u18AA])',
    // the order of two points in Hebrew
    '(?<=[\\u0591-\\u05C7])\\u034F(?=[\\u0591-\\u05C7])',
    // where a word may be divided, not beside a single letter
    '(?<=\\p{L}\\p{M}*\\p{L}\\p{M}*)\\u00AD(?=\\p{L}\\p{M}*\\p{L})',
  ]
  return toRule(`(?!${others})[${ignorable}\\uFFF9-\\uFFFB]`, kept)
})

/**
 * Removes invisible characters: zero width spaces, word joiners, fillers, invisible operators. A single zero
 * width space stays in scripts without spaces, and a single soft hyphen within a word.
 */
export function removeZeroWidth(text: string): string {
  return text.replace(spaces, '').replace(zeroWidth(), '$1')
}

/** All but the first of a run. */
const spaces = /(?<=\u200B)\u200B+/g

const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\u{E007F}]'

const joiners = createOnce(() => {
  const before = `${readRanges(joinsNext)}\\p{M}*`
  const after = `\\p{M}*${readRanges(joinsPrevious)}`
  const letters = `[${conjoining}&&[\\p{L}\\p{M}]]`
  const kept = [
    // where letters join: a non-joiner between two that would, a joiner where one would not
    `(?<=${before})\\u200C(?=${after})`,
    `(?<=${before})\\u200D(?!${after})`,
    `(?<!${before})\\u200D(?=${after})`,
    // where consonants form conjuncts: after the sign that joins them, and before a sign
    `(?<=${readRanges(viramas)})(?:\\u200D|\\u200C(?=${letters}))`,
    `(?<=${letters})[\\u200C\\u200D](?=[${conjoining}&&\\p{M}])`,
    `(?<=${emoji})\\u200D(?=\\p{Extended_Pictographic})`,
  ]
  return toRule('[\\u200C\\u200D]', kept)
})

/**
 * Removes joiners and non-joiners. One stays where it changes what a reader sees, in the scripts that need
 * it, and inside composed emoji.
 */
export function removeJoiners(text: string): string {
  // a pass of its own: looking around runs would take quadratic time
  return text.replace(joinerRun, '$1').replace(joiners(), '$1')
}

/** Of a run the first. After a selector none: a Mongolian letter has its form from one or the other. */
const joinerRun = /(?<=[\u180B-\u180D\u180F])[\u200C\u200D]+|([\u200C\u200D])[\u200C\u200D]+/g

/**
 * Matches a character of a class, and captures it where it is kept. The character comes first, so that
 * the contexts are read only beside one.
 */
function toRule(removed: string, kept: readonly string[]): RegExp {
  return new RegExp(`(?=${removed})(?:(${kept.join('|')})|.)`, 'gsv')
}

/** Reads a table to a character class: gaps and lengths of ranges in base 36. */
function readRanges(table: string): string {
  let at = 0
  const ranges = table.split(' ').map((range) => {
    const [gap = 0, length = 0] = range.split('.').map((number) => Number.parseInt(number, 36))
    const first = at + gap
    at = first + length
    return `${toEscape(first)}-${toEscape(at)}`
  })
  return `[${ranges.join('')}]`
}

function toEscape(point: number): string {
  return `\\u{${point.toString(16)}}`
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
