import { defineScopedPrompt } from '../_scoped.ts'

export default defineScopedPrompt({ scopes: ['admin'], conceal: true })
