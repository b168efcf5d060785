import { defineScopedResource } from '../_scoped.ts'

export default defineScopedResource('open', {})
