/** Reads the SKU from arguments that plain JSON Schema has checked: they have no type. */
export function readSku(input: unknown): string {
  if (typeof input === 'object' && input !== null && 'sku' in input) {
    if (typeof input.sku === 'string') return input.sku
  }
  throw new TypeError('The input schema let something through that has no sku.')
}
