import { defineScopedPrompt } from '../_scoped.ts'

export default defineScopedPrompt({ scopes: ['b'] })
