import { defineScopedResource } from '../_scoped.ts'

export default defineScopedResource('needs_a_and_b', { scopes: ['a', 'b'] })
