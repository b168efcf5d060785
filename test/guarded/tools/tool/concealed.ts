import { defineScopedTool } from '../_scoped.ts'

export default defineScopedTool({ scopes: ['admin'], conceal: true })
