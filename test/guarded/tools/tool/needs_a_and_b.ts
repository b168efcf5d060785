import { defineScopedTool } from '../_scoped.ts'

export default defineScopedTool({ scopes: ['a', 'b'] })
