import { ToolError } from 'helve'
import { findProduct } from './catalog.ts'
import type { Product } from './product.ts'

/**
 * The product with this SKU, letter case aside.
 *
 * @throws {ToolError} where there is none.
 */
export function requireProduct(sku: string): Product {
  const product = findProduct(sku)
  if (product !== undefined) return product
  throw new ToolError(`No product has the SKU "${sku}". Find the right one with search_catalog.`)
}
