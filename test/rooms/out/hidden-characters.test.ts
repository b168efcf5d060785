import { expect, test } from 'vitest'
import {
  removeAnsi,
  removeBidi,
  removeControls,
  removeHiddenCharacters,
  removeTags,
  removeVariation,
  removeZeroWidth,
} from '../../../src/out/hidden-characters.ts'

/** What is said, the text, and what is left of it; the text itself where nothing is named. */
type Row = readonly [what: string, text: string, left?: string]

/** Writes ASCII in the invisible tag characters. */
const tags = (text: string): string =>
  String.fromCodePoint(...Array.from(text, (char) => 0xe0000 + (char.codePointAt(0) ?? 0)))

/** Writes bytes as variation selectors. */
const selectors = (text: string): string =>
  String.fromCodePoint(...Array.from(text, (char) => 0xe0100 + (char.codePointAt(0) ?? 0) - 16))

const flag = (region: string): string => `\u{1F3F4}${tags(region)}\u{E007F}`

const ansi: readonly Row[] = [
  ['a color', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a color by its C1 character', '\x9b31mred', 'red'],
  ['a cleared screen', 'paid\x1b[2J\x1b[Hnot paid', 'paidnot paid'],
  ['a private mode', '\x1b[?25l\x1b[?1049hx', 'x'],
  ['a title', '\x1b]0;owned\x07x', 'x'],
  ['a hyperlink, but not its text', '\x1b]8;;https://a.example\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['a device control string', '\x1bPq#0;2\x1b\\x', 'x'],
  ['a reset', '\x1bcx', 'x'],
  ['a character set', '\x1b(Bx', 'x'],
  ['what looks like a sequence and has no escape', '[31m and ]0; stay'],
  ['a string without an end keeps what can be read', 'a\x1b]0;the price is 5', 'a0;the price is 5'],
]

const controls: readonly Row[] = [
  ['tab, line feed and CR LF stay', 'a\tb\nc\r\nd'],
  ['a lone carriage return is a line feed', 'shown\rhidden', 'shown\nhidden'],
  ['a carriage return at the end', 'a\r', 'a\n'],
  ['a backspace', 'no\b\byes', 'noyes'],
  ['null, bell, escape and delete', '\0\x07\x1b\x7fx', 'x'],
  ['C1 controls', '\x80\x85\x9fx', 'x'],
  ['letters with accents', 'é ñ \u00a0 ß'],
]

const tagged: readonly Row[] = [
  ['a hidden instruction', `Hello${tags('ignore all that')}!`, 'Hello!'],
  ['a language tag', '\u{E0001}x', 'x'],
  ['the flag of Scotland', flag('gbsct')],
  ['the flags of England and Wales', flag('gbeng') + flag('gbwls')],
  ['a flag of nowhere is a black flag', flag('pwned'), '\u{1F3F4}'],
  ['a flag that goes on', `${flag('gbsct')}${tags('x')}`, flag('gbsct')],
  ['a flag without an end', `\u{1F3F4}${tags('gbsct')}`, '\u{1F3F4}'],
]

const bidi: readonly Row[] = [
  ['an override', 'user\u202Etxt.exe', 'usertxt.exe'],
  ['embeddings and isolates', '\u202Aa\u202Bb\u202C\u2066c\u2067d\u2068e\u2069', 'abcde'],
  ['marks in English', 'a\u200Eb\u200Fc\u061C', 'abc'],
  ['a mark after Hebrew', 'שלום!\u200F', 'שלום!'],
  ['a mark beside a Hebrew letter', 'שלום\u200E 123'],
  ['a mark before an Arabic letter', '12\u200Fمتر'],
  ['a mark after a vowel sign', 'مَ\u200F'],
  ['marks in a row say something else', 'ש\u200E\u200F\u200E\u200Fx', 'שx'],
]

const zeroWidth: readonly Row[] = [
  ['spaces and joiners in English', 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf', 'abcdef'],
  ['a soft hyphen, a grapheme joiner and fillers', 'a\u00ADb\u034Fc\u115F\u3164\uFFA0d', 'abcd'],
  ['invisible operators and annotations', 'a\u2062b\u206Ac\uFFF9d\uFFFAe\uFFFB', 'abcde'],
  ['musical and shorthand format characters', 'a\u{1D173}b\u{1BCA0}c', 'abc'],
  ['a non-joiner in Persian', 'می\u200Cخواهم'],
  ['a non-joiner after a vowel sign', 'بَ\u200Cب'],
  ['a joiner in Hindi', 'क्\u200Dष'],
  ['a joiner at the end of a word in Malayalam', 'ന്\u200D'],
  ['a run of them in Persian', 'می\u200C\u200D\u200C\u200Cخ', 'می\u200Cخ'],
  ['a word break in Thai', 'สวัสดี\u200Bครับ'],
  ['a word break between Thai and English', 'สวัสดี\u200Bok', 'สวัสดีok'],
  ['a family', '👩\u200D👩\u200D👧'],
  ['a rainbow flag and a colored hand', '🏳\uFE0F\u200D🌈 👩🏽\u200D🚀'],
  ['a joiner after an emoji that joins nothing', '👩\u200D x', '👩 x'],
  ['what other rules are for', `a\u202E\uFE0F${tags('x')}`],
]

const variation: readonly Row[] = [
  ['a red heart and a keycap', '❤\uFE0F 1\uFE0F\u20E3 ©\uFE0F'],
  ['text style', '☎\uFE0E'],
  ['a form of a Han character', '葛\u{E0100}'],
  ['a form of a mathematical sign', '≨\uFE00'],
  ['bytes after an emoji', `😊${selectors('ignore all that')}`, '😊'],
  ['bytes after a Han character', `葛\u{E0100}${selectors('run rm')}`, '葛\u{E0100}'],
  ['a selector after each letter', 'a\uFE00b\uFE01c\uFE0F', 'abc'],
  ['selectors after digits that are no keycaps', '1\uFE0F2\uFE0F', '12'],
  ['a form of a Mongolian letter', 'ᠠ\u180B'],
]

const rules: readonly (readonly [(text: string) => string, readonly Row[]])[] = [
  [removeAnsi, ansi],
  [removeControls, controls],
  [removeTags, tagged],
  [removeBidi, bidi],
  [removeZeroWidth, zeroWidth],
  [removeVariation, variation],
]

for (const [remove, table] of rules) {
  for (const [what, text, left = text] of table) {
    test(`${remove.name}: ${what}`, () => {
      expect(remove(text)).toBe(left)
    })
  }
}

test('all rules together leave what people write', () => {
  const written =
    'Grüße, 你好, สวัสดี\u200Bครับ, می\u200Cخواهم, שלום\u200E, क्\u200Dष, 👩🏽\u200D🚀 ❤\uFE0F ' +
    `${flag('gbsct')}\r\n\t— “x” 1\uFE0F\u20E3`
  expect(removeHiddenCharacters(written)).toBe(written)
})

test('half a surrogate pair becomes U+FFFD, with other flaws or without', () => {
  expect(removeHiddenCharacters('a\uD83Db')).toBe('a\uFFFDb')
  expect(removeHiddenCharacters('\uDC69\u200B😊\uD83D')).toBe('\uFFFD😊\uFFFD')
})

test('what one rule leaves, another one removes', () => {
  expect(removeHiddenCharacters('\x1b\u200B[31mred')).toBe('[31mred')
  expect(removeHiddenCharacters('\x1b\x1b[0m[31mred')).toBe('[31mred')
  expect(removeHiddenCharacters(`می\u200C${tags('x')}\u200Cخ`)).toBe('می\u200Cخ')
})

test('a second pass changes nothing, whatever the text', () => {
  const alphabet = Array.from(
    'a1#\n\r[m;]\\\x1b\x9b\x9d\x07\0\u200B\u200C\u200D\u200E\u200F\u061C\u202E\uFEFF\uFE0F\uFE00' +
      'شकไᠠ葛👩🏽❤\u20E3\u{E0067}\u{E007F}\u{E0101}\u{1F3F4}\u180B\u180E',
  ).concat(flag('gbsct'), '\uD83D', '\uDC69')
  // a generator of its own, so that a failure can be seen again
  let seed = 7
  const next = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1)
  for (let round = 0; round < 5_000; round += 1) {
    const text = Array.from({ length: 12 }, () => alphabet[next() % alphabet.length] ?? '').join('')
    const once = removeHiddenCharacters(text)
    expect({ text, left: removeHiddenCharacters(once) }).toEqual({ text, left: once })
    expect(once).not.toMatch(/[\p{Cc}\u202A-\u202E\uFEFF](?<![\n\r\t])/u)
  }
})

test.each([
  ['escapes without an end', '\x1b['],
  ['control strings without an end', '\x9d'],
  ['control strings that begin again', '\x1b]0;'],
  ['parameters', '\x1b[0;0;0;0;0;0'],
  ['marks', '\u0301\u200E'],
  ['joiners', '\u200D'],
  ['selectors', '\u{E0101}'],
  ['flags without an end', '\u{1F3F4}\u{E0067}\u{E0062}'],
])('hostile %s cost no more than their length', (_, part) => {
  const began = performance.now()
  for (let round = 0; round < 3; round += 1) removeHiddenCharacters(part.repeat(200_000))
  expect(performance.now() - began).toBeLessThan(5_000)
})
