import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { createCheck } from '../../src/schema/check.ts'
import type { InputOf, OutputOf, Schema } from '../../src/schema/standard-schema.ts'

const { _default: withDefault } = mini

const order = z.object({ sku: z.string(), size: z.string().default('M') })
const miniOrder = mini.object({ sku: mini.string(), size: withDefault(mini.string(), 'M') })
const wrapped = mini.toJSONSchema(miniOrder)

interface Written {
  sku: string
  size?: string | undefined
}
interface Read {
  sku: string
  size: string
}

// what a sender writes is told from what a check hands on
expectTypeOf<InputOf<typeof order>>().toEqualTypeOf<Written>()
expectTypeOf<OutputOf<typeof order>>().toEqualTypeOf<Read>()
expectTypeOf<InputOf<typeof miniOrder>>().toEqualTypeOf<Written>()
expectTypeOf<OutputOf<typeof miniOrder>>().toEqualTypeOf<Read>()
expectTypeOf<OutputOf<typeof wrapped>>().toEqualTypeOf<Read>()

// nothing is known of what a plain JSON Schema lets through
expectTypeOf<OutputOf<{ type: 'object' }>>().toEqualTypeOf<unknown>()

expectTypeOf(order).toExtend<Schema>()
expectTypeOf(miniOrder).toExtend<Schema>()
expectTypeOf({ type: 'object', required: ['sku'] } as const).toExtend<Schema>()

// @ts-expect-error a type name is not a schema
createCheck('string')
// @ts-expect-error `$schema` is a URI
createCheck({ $schema: 7 })
