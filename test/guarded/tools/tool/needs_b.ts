import { defineScopedTool } from '../_scoped.ts'

export default defineScopedTool({ scopes: ['b'] })
