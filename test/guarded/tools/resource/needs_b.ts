import { defineScopedResource } from '../_scoped.ts'

export default defineScopedResource('needs_b', { scopes: ['b'] })
