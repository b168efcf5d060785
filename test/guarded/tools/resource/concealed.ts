import { defineScopedResource } from '../_scoped.ts'

export default defineScopedResource('concealed', { scopes: ['admin'], conceal: true })
