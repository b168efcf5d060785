/** Something that must not leave, or must leave as it is, between two words that have to be there. */
export interface Poison {
  readonly name: PoisonName
  /** What every way out does with it. */
  readonly deed: string
  readonly text: string
  /** What is left of the text. */
  readonly left: string
  /** What nothing that leaves may have in it; the empty text for what is harmless. */
  readonly gone: string
}

export type PoisonName = 'secret' | 'tag' | 'bidi' | 'zero-width' | 'escape' | 'half' | 'joiner'

/** As test/leaks/wrangler.toml has it. */
const secret = 'sk_live_0123456789abcdef'

/** An astronaut, and a word of Persian: both are written with joiners. */
const joined = '\u{1F469}\u200D\u{1F680} می\u200Cخواهم '

export const poisons: readonly Poison[] = [
  toPoison('secret', 'masks a secret', secret, '[secret]'),
  toPoison('tag', 'removes a tag character', '\u{E0041}', ''),
  toPoison('bidi', 'removes a bidi control', '\u202E', ''),
  toPoison('zero-width', 'removes a zero-width character', '\u200B', ''),
  toPoison('escape', 'removes a terminal escape', '\x1b[31m', ''),
  toPoison('half', 'replaces half a surrogate pair', '\uD800', '\uFFFD'),
  { ...toPoison('joiner', 'keeps the joiners of emoji and Persian', joined, joined), gone: '' },
]

function toPoison(name: PoisonName, deed: string, gone: string, left: string): Poison {
  return { name, deed, text: `quark${gone}lepton`, left: `quark${left}lepton`, gone }
}
