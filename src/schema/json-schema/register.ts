/**
 * Adds the checker of plain JSON Schema to a Worker. `helve build` writes this import into the
 * registry when a definition has such a schema:
 *
 * @example
 * import 'helve/json-schema'
 *
 * @module
 */

import { registerJsonSchemaCheck } from '../check.ts'
import { createJsonSchemaCheck } from './check.ts'

registerJsonSchemaCheck(createJsonSchemaCheck)
