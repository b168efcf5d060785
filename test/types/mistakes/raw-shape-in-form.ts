import { form } from '../../../src/index.ts'
import * as z from 'zod'

export default form('Pay?', { pay: z.boolean() })

/*
(4,29): error TS2345: Argument of type '...' is not assignable to parameter of type '{ pay: ZodBoolean; } & "An object of schemas is not a schema: wrap it in z.object({ ... })"'.
  Type '...' is not assignable to type '"An object of schemas is not a schema: wrap it in z.object({ ... })"'.
*/
