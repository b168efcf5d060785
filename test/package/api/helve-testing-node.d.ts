type JsonObject = {
  readonly [key: string]: unknown;
};
declare const units: {
  readonly ms: 1;
  readonly s: 1000;
  readonly m: 60000;
  readonly h: 3600000;
  readonly d: 86400000;
};
type Duration = `${number}${keyof typeof units}`;
interface Caller {
  readonly subject: string;
  readonly issuer?: string;
  readonly client?: string;
  readonly scopes: readonly string[];
  readonly claims: JsonObject;
  readonly expires?: number;
}
type IdentifiedCaller = Pick<Caller, 'subject'> & Partial<Omit<Caller, 'scopes'>> & {
  readonly scopes?: readonly string[] | string;
};
type FakeCaller = string | IdentifiedCaller;
interface PrintedLine {
  readonly level: string;
  readonly message: string;
}
interface TestServer<Definitions = unknown> {
  readonly endpoint: string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly getEnv: () => Promise<Cloudflare.Env>;
  readonly applyD1Migrations: (binding: string) => Promise<void>;
  readonly runScheduled: (cron: string, time?: Date) => Promise<void>;
  readonly printed: () => readonly PrintedLine[];
  readonly advance: (by: Duration) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly toCallerHeaders: (caller: FakeCaller) => Readonly<Record<string, string>>;
  readonly '~types'?: Definitions;
}
export interface StartServerOptions {
  readonly root?: string;
  readonly config?: string;
  readonly vars?: JsonObject;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly build?: boolean;
  readonly endpoint?: `/${string}`;
}
export declare function startServer<Definitions = unknown>(options?: StartServerOptions): Promise<TestServer<Definitions>>;
export type { PrintedLine, TestServer };