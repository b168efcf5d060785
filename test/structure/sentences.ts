import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** A sentence in the source, or a part of one that the source puts together. */
export interface SourceSentence {
  /** The path in `src/`. */
  readonly file: string
  /** Each value within it is `…`. */
  readonly text: string
}

const source = resolve(import.meta.dirname, '../../src')

/** Finds the sentences in `src/`: every string that a person or a model may have to understand. */
export function readSourceSentences(): readonly SourceSentence[] {
  return (
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      // worker.ts is the example's
      .filter((file) => file.endsWith('.ts') && file !== 'worker.ts')
      .toSorted()
      .flatMap((file) =>
        findSentences(readFileSync(join(source, file), 'utf8')).map((text) => ({ file, text })),
      )
  )
}

/** Finds the sentences in the code of a module. */
export function findSentences(code: string): readonly string[] {
  const texts: string[] = []
  const parts = new Set<unknown>()
  // a string that is joined from several counts once
  const take = (node: object): void => {
    if (parts.has(node)) return
    const text = readText(node, parts)
    if (text !== null && isSentence(text)) texts.push(text)
  }
  const skip = (node: object): void => void parts.add(node)
  new Visitor({
    // what `--help` prints is in docs/commands.md
    Property: ({ key, value }) => {
      if ('name' in key && key.name === 'about') skip(value)
    },
    BinaryExpression: take,
    TemplateLiteral: take,
    Literal: take,
  }).visit(parseSync('module.ts', code).program)
  return texts
}

/** Returns the text of an expression that makes a string, with `…` for what only running it would tell. */
function readText(node: unknown, parts: Set<unknown>): string | null {
  const { type, value, quasis, operator, left, right } = Object(node)
  if (type === 'Literal') {
    parts.add(node)
    return typeof value === 'string' ? value : null
  }
  if (type === 'TemplateLiteral') {
    parts.add(node)
    return quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked).join('…')
  }
  if (type !== 'BinaryExpression' || operator !== '+') return null
  parts.add(node)
  const [before, after] = [readText(left, parts), readText(right, parts)]
  return before === null && after === null ? null : `${before ?? '…'}${after ?? '…'}`
}

const verbs =
  /\b(?:must|cannot|could|is|are|has|have|was|were|failed|needs|returned|Unknown|lacks|differs)\b/

function isSentence(text: string): boolean {
  // what the build writes is code
  if (/^(?:\/\/|import|export|using|const)\b|^ *\/\/|\bUsage:/.test(text)) return false
  const words = text.match(/(?<![\w$.[])[A-Za-z'’]+(?![\w$\]])/g) ?? []
  if (words.length < 2) return false
  return (
    /[a-z`"…)}\]][.?!](?:["`)]| |\n|$)/.test(text) ||
    // parts: of a sentence, and what ends with the cause
    (words.length > 2 && verbs.test(text)) ||
    /^[A-Z].*: …$/.test(text)
  )
}
