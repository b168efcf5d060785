import { defineTool, form } from 'helve'
import * as z from 'zod'

const option = z.enum(['option1', 'option2', 'option3'])
const value = z.union([
  z.literal('value1').meta({ title: 'First Option' }),
  z.literal('value2').meta({ title: 'Second Option' }),
  z.literal('value3').meta({ title: 'Third Option' }),
])
const choices = z.object({
  untitledSingle: option,
  titledSingle: value,
  // the deprecated spelling of titles, which old clients know
  legacyEnum: z
    .enum(['opt1', 'opt2', 'opt3'])
    .meta({ enumNames: ['Option One', 'Option Two', 'Option Three'] }),
  untitledMulti: z.array(option),
  titledMulti: z.array(value),
})

export default defineTool({
  description: 'Asks the user for a choice in each spelling that a form has for choices.',
  ask: () => ({ choices: form('Please choose.', choices, { declined: 'tell' }) }),
  run: ({ answers }) => `Elicitation completed: ${JSON.stringify(answers.choices)}`,
})
