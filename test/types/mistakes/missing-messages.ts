import { definePrompt } from '../../../src/index.ts'

export default definePrompt({ description: 'Plans.' })

/*
(3,29): error TS2741: Property 'messages' is missing in type '...' but required in type 'PromptDefinition<...>'.
*/
