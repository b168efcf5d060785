import type { Registry } from './registry/registry.ts'

export interface WorkerOptions {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly instructions?: string
  readonly registry: Registry
}
export declare function createWorker(options: WorkerOptions): ExportedHandler<Cloudflare.Env>
