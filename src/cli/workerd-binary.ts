import { createRequire } from 'node:module'

/** The workerd that is installed. */
export const workerdBinary: {
  /** Its path. */
  readonly default: string
  /** The newest compatibility date that it knows. */
  readonly compatibilityDate: string
  // a CommonJS module with a `default` of its own, which loaders disagree about how to import
} = createRequire(import.meta.url)('workerd')
