import type { Content } from '../wire/content.ts'
import { text } from './content.ts'

/** A tool's value together with content blocks of the author's own; made by {@link reply}. */
export class Reply<Value> {
  readonly value: Value
  readonly content: readonly Content[]

  constructor(value: Value, content: readonly Content[]) {
    this.value = value
    this.content = content
  }
}

/**
 * Returns a value with content of its own. Text replaces the JSON copy of the value that Helve
 * prints for older clients; images, audio, links and embedded resources are added after it.
 *
 * @example return reply({ sku, price }, image(bytes, 'image/png'))
 */
export function reply<Value>(
  value: Value,
  ...content: readonly (Content | string)[]
): Reply<Value> {
  return new Reply(
    value,
    content.map((block) => (typeof block === 'string' ? text(block) : block)),
  )
}
