import type { AuditEnd, AuditSubject } from './record.ts'
import { logNotice } from '../../kit/incident.ts'

/**
 * Writes a point of an audit to an Analytics Engine dataset: blobs method, name, outcome, caller and
 * trace; doubles milliseconds and bytes; sampled by method. A dataset that fails costs no request its
 * reply.
 */
export function writeAuditPoint(
  env: object,
  binding: string,
  { method, name = '', caller = '', trace = '' }: AuditSubject,
  { outcome, bytes }: AuditEnd,
  ms: number,
): void {
  try {
    const dataset: unknown = Reflect.get(env, binding)
    if (!isDataset(dataset)) {
      throw new TypeError(`This Worker has no [[analytics_engine_datasets]] binding "${binding}".`)
    }
    dataset.writeDataPoint({
      // an index has 96 bytes, and a character up to three
      indexes: [method.slice(0, 32)],
      blobs: [method, name, outcome, caller, trace],
      doubles: [ms, bytes],
    })
  } catch (error) {
    logNotice('audit', String(error))
  }
}

function isDataset(value: unknown): value is AnalyticsEngineDataset {
  return typeof value === 'object' && value !== null && 'writeDataPoint' in value
}
