import { createWorker, type Registry, type WorkerOptions } from 'helve'

/** Helve without its log by default: a log is the platform's work, and the peers write none. */
export const serve = (registry: Registry, options: Partial<WorkerOptions> = {}) =>
  createWorker({ name: 'bench', version: '1', registry, audit: false, ...options })
