import { defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks for a confirmation and completes only with the state that it sealed.',
  ask: () => ({ confirm: form('Please confirm.', z.object({ ok: z.boolean() })) }),
  run: () => 'state-ok',
})
