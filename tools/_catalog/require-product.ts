import { ToolError } from 'helve'
import { findProduct } from './catalog.ts'
import type { Product } from './product.ts'

/**
 * Returns the product with this SKU, in any letter case.
 *
 * @throws {ToolError} if there is no such product.
 */
export function requireProduct(sku: string): Product {
  const product = findProduct(sku)
  if (product !== undefined) return product
  throw new ToolError(`No product has the SKU "${sku}". Find the right one with search_catalog.`)
}
