import type { WorkerOptions } from 'helve'
import { apiKeys } from 'helve/auth/api-keys'

/** Callers with API keys, of whom each may send so many requests. */
export const options: Omit<WorkerOptions, 'registry'> = {
  name: 'helve-guarded-call',
  version: '1.0.0',
  auth: apiKeys({ keys: 'API_KEYS' }),
  limit: 'REQUESTS',
}
