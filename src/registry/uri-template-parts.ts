/** A piece of a URI template: text that stands for itself, or an expression in braces. */
export interface TemplatePart {
  /** For an expression what it does, by its operator (RFC 6570, 3.2). */
  readonly kind: 'text' | 'segment' | 'rest' | 'segments' | 'query' | 'unsupported'
  /** As it stands in the template. */
  readonly text: string
  /** The variables of an expression. */
  readonly names: readonly string[]
}

const kinds: ReadonlyMap<string, TemplatePart['kind']> = new Map([
  ['', 'segment'],
  ['+', 'rest'],
  ['/', 'segments'],
  ['?', 'query'],
])

/** Tells a URI template from a URI: braces are no characters of a URI. */
export function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** Takes a template apart. Whether the pieces make sense together is not looked at here. */
export function readTemplateParts(template: string): readonly TemplatePart[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) =>
      /^\{.*\}$/s.test(text) ? readExpression(text) : { kind: 'text', text, names: [] },
    )
}

function readExpression(text: string): TemplatePart {
  const [, operator = '', list = ''] = /^\{([^\w%]?)(.*)\}$/s.exec(text) ?? []
  return { kind: kinds.get(operator) ?? 'unsupported', text, names: list.split(',') }
}
