import { defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks for a confirmation under a state that nobody can change unnoticed.',
  ask: () => ({ confirm: form('Please confirm.', z.object({ ok: z.boolean() })) }),
  run: () => 'The state was as it had been sealed.',
})
