type Entrypoints = Readonly<Record<string, new (...args: never[]) => Rpc.WorkerEntrypointBranded>>;
type Loopbacks<Classes extends Entrypoints> = { readonly [Name in keyof Classes]: LoopbackServiceStub<InstanceType<Classes[Name]>>; };
type CacheStatus = 'HIT' | 'MISS' | 'EXPIRED' | 'REVALIDATED' | 'UPDATING' | 'STALE' | 'BYPASS' | 'DYNAMIC';
export interface WorkersCacheOptions {
  readonly version?: string;
  readonly crossVersion?: boolean;
  readonly now?: () => number;
  readonly maxBytes?: number;
  readonly purgeScope?: 'entrypoint' | 'props';
}
export interface LogEntry {
  readonly entrypoint: string;
  readonly url: string;
  readonly props: unknown;
  readonly status: CacheStatus | 'THREW';
}
export interface WorkersCache {
  readonly log: readonly LogEntry[];
  inFrontOf<Classes extends Entrypoints, Others extends object = object>(classes: Classes, env: unknown, others?: Others): Loopbacks<Classes> & Others;
  deploy(version: string): void;
  refusePurges(errors: readonly CachePurgeError[]): void;
  readonly settled: () => Promise<void>;
  clear(): void;
}
export declare function createWorkersCache(options?: WorkersCacheOptions): WorkersCache;
export {};