type JsonObject = {
  readonly [key: string]: unknown;
};
interface Caller {
  readonly subject: string;
  readonly issuer?: string;
  readonly client?: string;
  readonly scopes: readonly string[];
  readonly claims: JsonObject;
  readonly expires?: number;
}
interface Authenticator {
  readonly authenticate: (context: AuthContext) => Promise<AuthResult>;
  readonly authorizationServers: (resource: string) => readonly string[];
  readonly allowsAnonymous: boolean;
}
interface RequestContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports?: unknown;
  readonly props?: unknown;
}
interface AuthContext {
  readonly headers: Headers;
  readonly url: string;
  readonly env: Cloudflare.Env;
  readonly ctx: RequestContext;
  readonly resource: string;
  readonly log: AuthLog;
  readonly refusals: Refusals;
}
interface Refusals {
  readonly ask: (context: Pick<AuthContext, 'headers' | 'ctx'>, ask: () => Promise<AuthResult>) => Promise<AuthResult>;
}
interface AuthLog {
  readonly error: (what: string, thrown: unknown) => string;
  readonly warn: (what: string, detail: string, thrown?: unknown) => void;
}
type AuthResult = {
  readonly kind: 'caller';
  readonly caller: Caller;
} | {
  readonly kind: 'anonymous';
} | {
  readonly kind: 'malformed';
} | {
  readonly kind: 'refused';
  readonly why: string;
};
type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;
interface IntrospectionOptions {
  readonly endpoint: string;
  readonly client: {
    readonly id: string;
    readonly secret: string;
  };
  readonly issuer?: string;
  readonly audience?: string | readonly string[];
  readonly scopes?: ScopeHierarchy;
}
declare function introspection(options: IntrospectionOptions): Authenticator;
export {
  IntrospectionOptions,
  introspection };
