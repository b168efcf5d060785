type Json = string | number | boolean | null | readonly Json[] | {
  readonly [key: string]: Json | undefined;
};
type JsonObject = {
  readonly [key: string]: unknown;
};
interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}
interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}
interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}
interface ImageContent {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}
interface AudioContent {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}
interface ResourceLink {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}
interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: JsonObject;
}
interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly _meta?: JsonObject;
}
interface EmbeddedResource {
  readonly type: 'resource';
  readonly resource: TextResourceContents | BlobResourceContents;
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}
type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;
interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
}
interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | {
    readonly key: PropertyKey;
  })[] | undefined;
}
type StandardResult<Output> = {
  readonly value: Output;
  readonly issues?: undefined;
} | {
  readonly issues: readonly StandardIssue[];
};
type Direction = 'input' | 'output';
type PrintJsonSchema = (options: {
  readonly target: 'draft-2020-12';
}) => Record<string, unknown>;
interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: {
    readonly input: Input;
    readonly output: Output;
  } | undefined;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly jsonSchema?: Readonly<Record<Direction, PrintJsonSchema>> | undefined;
}
interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>;
}
interface JsonSchema {
  readonly $schema?: string;
  readonly type?: string | readonly string[];
  readonly '~standard'?: never;
  readonly [keyword: string]: unknown;
}
type Schema = StandardSchema<unknown, unknown> | JsonSchema;
type InputOf<S> = S extends StandardSchema<infer Input, unknown> ? Input : unknown;
type OutputOf<S> = S extends StandardSchema<unknown, infer Output> ? Output : unknown;
interface Undeclared<_Cure extends string> {
  readonly '~none'?: never;
}
type Wrapped<S> = S extends StandardSchema<unknown, unknown> ? unknown : [{ [Key in keyof S]: S[Key] extends StandardSchema<unknown, unknown> ? Key : never }[keyof S]] extends [never] ? unknown : 'An object of schemas is not a schema: wrap it in z.object({ ... })';
type Checked = {
  readonly ok: true;
  readonly value: unknown;
} | {
  readonly ok: false;
  readonly problems: readonly string[];
};
type Check = (value: unknown) => Checked | Promise<Checked>;
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
declare const logLevels: readonly ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
type LogLevel = (typeof logLevels)[number];
type HandleScope = 'id' | 'caller';
type HandleVerb = (sql: SqlStorage, state: unknown, args: readonly unknown[]) => unknown;
interface HandleKind {
  readonly kind: 'handle';
  readonly name: string;
  readonly note: string;
  readonly scope: HandleScope;
  readonly prefix: string | null;
  readonly createdBy: string | null;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly perCaller: number | null;
  readonly jurisdiction: DurableObjectJurisdiction | null;
  readonly tables: string | null;
  readonly checkState: Check;
  readonly verbs: ReadonlyMap<string, HandleVerb>;
  readonly definition: {
    start(...args: readonly unknown[]): unknown;
    onExpire?(expired: ExpiredHandle<unknown>): void | Promise<void>;
  };
}
interface ExpiredHandle<State> {
  readonly state: State;
  readonly env: Cloudflare.Env;
}
interface Handle<State = unknown, Calls = unknown, Args extends readonly unknown[] = readonly unknown[], Scope extends HandleScope = HandleScope> extends HandleKind {
  readonly scope: Scope;
  readonly '~types'?: {
    readonly state: State;
    readonly calls: Calls;
    readonly args: Args;
  };
}
interface ListedHandle {
  readonly id: string;
  readonly createdAt: number;
}
interface Handles {
  readonly create: <State, Calls, Args extends readonly unknown[]>(kind: Handle<State, Calls, Args, 'id'>, ...args: Args) => Promise<HandleStub<Handle<State, Calls, Args, 'id'>>>;
  readonly open: <H extends Handle>(kind: H, ...id: IdOf<H>) => HandleStub<H>;
  readonly read: <H extends Handle>(kind: H, ...id: IdOf<H>) => Promise<StateOf<H>>;
  readonly list: <State, Calls, Args extends readonly unknown[]>(kind: Handle<State, Calls, Args, 'id'>) => Promise<readonly ListedHandle[]>;
}
type StateOf<H> = H extends Handle<infer State> ? Readonly<State> : never;
type IdOf<H> = H extends Handle<unknown, unknown, readonly unknown[], infer Scope> ? Scope extends 'caller' ? readonly [] : readonly [id: string] : never;
type Identified<Scope extends HandleScope> = Scope extends 'caller' ? unknown : {
  readonly id: string;
};
type HandleReader<H> = H extends Handle<infer State, unknown, readonly unknown[], infer Scope> ? Identified<Scope> & {
  read(): Promise<Readonly<State>>;
} : never;
type HandleStub<H> = H extends Handle<unknown, infer Calls> ? HandleReader<H> & Calls & {
  end(): Promise<void>;
} : never;
interface OptionalHandle<H extends Handle> {
  readonly kind: 'optional';
  readonly handle: H;
}
type Uses = Readonly<Record<string, Handle | OptionalHandle<Handle>>>;
type OpenedHandles<U extends Uses> = { readonly [Name in keyof U]: U[Name] extends OptionalHandle<infer H> ? HandleStub<H> | undefined : HandleStub<U[Name]> };
type ReadableHandles<U extends Uses> = { readonly [Name in keyof U]: U[Name] extends OptionalHandle<infer H> ? HandleReader<H> | undefined : HandleReader<U[Name]> };
type FormSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
};
interface ElicitRequest {
  readonly method: 'elicitation/create';
  readonly params: {
    readonly mode: 'form';
    readonly message: string;
    readonly requestedSchema: FormSchema;
  } | {
    readonly mode: 'url';
    readonly message: string;
    readonly url: string;
  };
}
type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;
interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject;
}
interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}
interface SamplingTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject & {
    readonly type: 'object';
  };
  readonly outputSchema?: JsonObject;
}
interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: SamplingContent | readonly SamplingContent[];
}
interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: {
    readonly hints?: readonly {
      readonly name?: string;
    }[];
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly tools?: readonly SamplingTool[];
  readonly toolChoice?: {
    readonly mode?: 'auto' | 'required' | 'none';
  };
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly metadata?: JsonObject;
}
interface CreateMessageRequest {
  readonly method: 'sampling/createMessage';
  readonly params: CreateMessageParams;
}
interface ListRootsRequest {
  readonly method: 'roots/list';
}
type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest;
type AskingCapability = 'form' | 'link' | 'sample' | 'sampleTools' | 'sampleContext' | 'roots';
type AnswerRead = {
  readonly kind: 'answered';
  readonly answer: unknown;
} | {
  readonly kind: 'declined';
  readonly action: 'decline' | 'cancel';
} | {
  readonly kind: 'invalid';
  readonly why?: string;
};
interface Answerable<Answer> {
  readonly read: (response: unknown) => AnswerRead | Promise<AnswerRead>;
  readonly '~answer'?: {
    readonly type: Answer;
  };
}
interface AskedQuestion<Answer> extends Answerable<Answer> {
  readonly request: InputRequest;
  readonly capability: AskingCapability;
  readonly needs?: readonly AskingCapability[];
  readonly unasked: 'ignore' | 'accept';
}
interface CarriedQuestion<Answer> extends Answerable<Answer> {
  readonly request: null;
  readonly carried: Json;
}
type Question<Answer> = AskedQuestion<Answer> | CarriedQuestion<Answer>;
type Questions = Readonly<Record<string, Question<unknown> | undefined>>;
type AnswerOf<Q> = Q extends Question<infer Answer> ? Answer : never;
type Answers<Q> = Flat$1<{ readonly [Key in CertainKey<Q>]: AnswerOf<Member<Q, Key>> } & { readonly [Key in Exclude<AnyKey<Q>, CertainKey<Q>>]?: AnswerOf<Member<Q, Key>> }>;
type AnswersTo<Q> = [AnyKey<Q>] extends [never] ? Undeclared<'`ask` returns the questions, and must come before the function that reads `answers`'> : Answers<Q>;
type AnyKey<Q> = Q extends unknown ? keyof Q : never;
type Member<Q, Key extends PropertyKey> = Q extends unknown ? Key extends keyof Q ? Q[Key] : undefined : never;
type CertainKey<Q> = { [Key in AnyKey<Q>]: undefined extends Member<Q, Key> ? never : Key }[AnyKey<Q>];
type Flat$1<T> = { [Key in keyof T]: T[Key] };
interface WithCaller {
  readonly caller: Caller | null;
}
interface CallContext<Input> extends WithCaller {
  readonly input: Input;
  readonly env: Cloudflare.Env;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly trace: Trace;
}
type Abilities = Readonly<Record<AskingCapability, boolean>>;
interface QuestionContext {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly can: Abilities;
}
interface AskContext<Input, U extends Uses> extends CallContext<Input>, QuestionContext, Pick<Handles, 'read' | 'list'> {
  readonly use: ReadableHandles<U>;
}
interface RunContext<Input, Answered, U extends Uses> extends CallContext<Input>, Handles {
  readonly answers: Answered;
  readonly use: OpenedHandles<U>;
  readonly notify: Notify;
  readonly purge: Purge;
  readonly progress: Progress;
}
type CachedRunContext<Input> = Omit<CallContext<Input>, 'caller' | 'trace'>;
type Progress = (done: number, total?: number, message?: string) => void;
type Log = Readonly<Record<LogLevel, (message: string, detail?: Json) => void>>;
interface ReadContext<Params> extends Omit<CallContext<never>, 'input' | 'caller'> {
  readonly uri: string;
  readonly params: Params;
}
interface ListContext {
  readonly cursor: string | undefined;
  readonly env: Cloudflare.Env;
  readonly signal: AbortSignal;
}
interface WithAnswers<Answered> {
  readonly answers: Answered;
}
interface Trace {
  readonly id: string | null;
  readonly headers: Readonly<Record<string, string>>;
}
interface VisibleContext {
  readonly caller: Caller | null;
  readonly env: Cloudflare.Env;
}
interface VisibilityOptions {
  readonly scopes?: readonly string[];
  readonly conceal?: boolean;
  visible?(context: VisibleContext): boolean | Promise<boolean>;
}
interface NotifyOptions {
  readonly scopes: readonly string[];
}
interface Notify {
  readonly toolsChanged: (options?: NotifyOptions) => Promise<void>;
  readonly promptsChanged: (options?: NotifyOptions) => Promise<void>;
  readonly resourcesChanged: (options?: NotifyOptions) => Promise<void>;
  readonly resourceUpdated: (uri: string, options?: NotifyOptions) => Promise<void>;
}
interface Purged {
  readonly tools?: readonly string[] | 'all';
  readonly resources?: readonly string[];
  readonly lists?: boolean;
}
type Purge = (what: Purged | 'everything') => Promise<void>;
declare class Reply<Value> {
  readonly value: Value;
  readonly content: readonly Content[];
  constructor(value: Value, content: readonly Content[]);
}
declare class ToolError extends Error {
  readonly name = "ToolError";
}
interface NoOutput extends StandardSchema<string> {
  readonly '~none'?: true;
}
interface ToolHints {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}
type LimitName = [RateLimitBinding] extends [never] ? 'No [[ratelimits]] in Cloudflare.Env: add one to wrangler.toml and run `npx wrangler types --include-runtime=false`' : RateLimitBinding;
type RateLimitBinding = { [Name in keyof Cloudflare.Env]: Cloudflare.Env[Name] extends RateLimit ? Name : never }[keyof Cloudflare.Env];
type Returned<O extends Schema, Result> = [O] extends [NoOutput] ? Result : Structured<O> | Promise<Structured<O>>;
type Structured<O extends Schema> = ReadonlyDeep<InputOf<O>> | Reply<ReadonlyDeep<InputOf<O>>>;
type ReadonlyDeep<T> = unknown extends T ? T : T extends readonly unknown[] ? number extends T['length'] ? readonly ReadonlyDeep<T[number]>[] : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;
type RunContextOf<I extends Schema, Q extends Questions, U extends Uses, C extends Duration, S extends boolean> = [C] extends [never] ? RunContext<OutputOf<I>, AnswersTo<Q>, U> : [S] extends [false] ? CachedRunContext<OutputOf<I>> & WithCaller : CachedRunContext<OutputOf<I>>;
interface ToolDefinition<I extends Schema = Schema, O extends Schema = Schema, Q extends Questions = Questions, U extends Uses = Uses, C extends Duration = Duration, S extends boolean = boolean, R extends boolean = boolean, Result = unknown> extends VisibilityOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description: string;
  readonly icons?: readonly Icon[];
  readonly input?: I & Wrapped<I>;
  readonly output?: O & Wrapped<O>;
  readonly hints?: ToolHints & {
    readonly readOnly?: R;
  };
  readonly limit?: LimitName | ExactLimit;
  readonly parallel?: number;
  readonly sanitize?: false | ((text: string) => string);
  readonly timeout?: Duration;
  readonly cache?: [R] extends [true] ? C : 'A tool with `cache` needs `hints: { readOnly: true }`';
  readonly stale?: [C] extends [never] ? '`stale` needs `cache`' : Duration;
  readonly shared?: [C] extends [never] ? '`shared` needs `cache`' : S;
  readonly uses?: U;
  ask?(context: AskContext<OutputOf<I>, U>): Q | Promise<Q>;
  run(context: RunContextOf<I, Q, U, C, S>): Returned<O, Result>;
}
type AnyTool = (ErasedTool<never, false> & LiveMembers) | (ErasedTool<Duration, true> & {
  readonly cache: Duration;
  readonly shared: true;
}) | (ErasedTool<Duration, false> & {
  readonly cache: Duration;
  readonly shared?: false;
});
type ErasedTool<C extends Duration, S extends boolean> = ToolDefinition<Schema, Schema, Questions, Uses, C, S, true>;
interface LiveMembers {
  readonly cache?: never;
  readonly stale?: never;
  readonly shared?: never;
}
interface Tool<Arguments = unknown, Value = unknown, Q = unknown> {
  readonly kind: 'tool';
  readonly definition: AnyTool;
  readonly checkInput: Check;
  readonly checkOutput: Check | null;
  readonly '~types'?: {
    readonly arguments: Arguments;
    readonly value: Value;
    readonly questions: Q;
  };
}
interface ExactLimit {
  readonly tokens: number;
  readonly per: Duration;
  readonly by?: 'caller' | 'tool' | 'all';
}
interface RequestContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports?: unknown;
  readonly props?: unknown;
}
type IdentifiedCaller = Pick<Caller, 'subject'> & Partial<Omit<Caller, 'scopes'>> & {
  readonly scopes?: readonly string[] | string;
};
type ConsoleMethod = 'info' | 'warn' | 'error';
type ArgumentOf<I extends Schema> = unknown extends InputOf<I> ? string : keyof InputOf<I> & string;
interface PromptContext<Input, Answered> extends CallContext<Input> {
  readonly answers: Answered;
}
interface RoleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | Content | readonly (string | Content)[];
}
type Messages = string | RoleMessage | readonly (string | RoleMessage)[];
interface PromptDefinition<I extends Schema = Schema, Q extends Questions = Questions> extends VisibilityOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description: string;
  readonly icons?: readonly Icon[];
  readonly input?: I & Wrapped<I>;
  readonly complete?: Completers<ArgumentOf<I>>;
  ask?(context: CallContext<OutputOf<I>> & QuestionContext): Q | Promise<Q>;
  messages(context: PromptContext<OutputOf<I>, AnswersTo<Q>>): Messages | Promise<Messages>;
}
interface Prompt<Arguments = unknown, Q = unknown> {
  readonly kind: 'prompt';
  readonly definition: PromptDefinition;
  readonly checkInput: Check;
  readonly '~types'?: {
    readonly arguments: Arguments;
    readonly questions: Q;
  };
}
interface CompleteContext {
  readonly value: string;
  readonly chosen: Readonly<Record<string, string>>;
  readonly env: Cloudflare.Env;
  readonly signal: AbortSignal;
}
type Suggestions = readonly string[] | {
  readonly values: readonly string[];
  readonly total?: number;
};
type Completer = (context: CompleteContext) => Suggestions | Promise<Suggestions>;
type Completers<Name extends string> = { readonly [Key in Name]?: Completer };
type ParamsOf<Uri extends string, P extends Schema> = [P] extends [never] ? ValuesOf<Uri> : OutputOf<P>;
type ReadContextOf<Uri extends string, P extends Schema, Q extends Questions, S extends boolean> = [S] extends [false] ? ReadContext<ParamsOf<Uri, P>> & WithCaller & WithAnswers<AnswersTo<Q>> : ReadContext<ParamsOf<Uri, P>>;
interface ResourceDefinition<Uri extends string = string, P extends Schema = Schema, Q extends Questions = Questions, S extends boolean = boolean> extends VisibilityOptions {
  readonly uri: Uri;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime: string;
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly cache?: Duration;
  readonly stale?: Duration;
  readonly params?: P & Wrapped<P>;
  readonly complete?: Completers<VariableOf<Uri>>;
  readonly shared?: S;
  list?(context: [S] extends [false] ? ListContext & WithCaller : ListContext): ResourcePage | Promise<ResourcePage>;
  ask?(context: ReadContext<ParamsOf<Uri, P>> & WithCaller & QuestionContext): Q | Promise<Q>;
  read(context: ReadContextOf<Uri, P, Q, S>): Contents | Promise<Contents>;
}
type AnyResource = (ResourceDefinition<string, Schema, Questions, true> & {
  readonly shared: true;
}) | (ResourceDefinition<string, Schema, Questions, false> & {
  readonly shared?: false;
});
interface Resource<Uri extends string = string, Q = unknown> {
  readonly kind: 'resource';
  readonly definition: AnyResource;
  readonly checkParams: Check | null;
  readonly '~types'?: {
    readonly uri: Uri;
    readonly questions: Q;
  };
}
interface ResourceRow {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime?: string;
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
}
interface ResourcePage {
  readonly resources: readonly ResourceRow[];
  readonly next?: string | undefined;
}
type ContentsPart = {
  readonly uri?: string;
  readonly mime?: string;
} & ({
  readonly text: string;
} | {
  readonly blob: Uint8Array | ArrayBuffer | string;
});
type Contents = string | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | ContentsPart | readonly ContentsPart[] | null;
type VariableOf<Uri extends string> = string extends Uri ? string : Uri extends `${string}{${infer Expression}}${infer Rest}` ? NameOf<Expression> | VariableOf<Rest> : never;
type ValuesOf<Uri extends string> = string extends Uri ? Readonly<Record<string, string>> : Flat<ValuesIn<Uri>>;
type ValuesIn<Uri extends string> = Uri extends `${string}{${infer Expression}}${infer Rest}` ? ValuesOfExpression<Expression> & ValuesIn<Rest> : unknown;
type ValuesOfExpression<Expression extends string> = Expression extends `${'/' | '?'}${string}` ? { readonly [Name in NameOf<Expression>]?: string } : { readonly [Name in NameOf<Expression>]: string };
type NameOf<Expression extends string> = Expression extends `${'+' | '/' | '?'}${infer Names}` ? Split<Names> : Split<Expression>;
type Split<Names extends string> = Names extends `${infer Name},${infer Rest}` ? Name | Split<Rest> : Names;
type Flat<Values> = { readonly [Name in keyof Values]: Values[Name] };
type FakeCaller = string | IdentifiedCaller;
type Fetch = (request: Request) => Response | Promise<Response>;
interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
interface LogMessage {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}
interface NotificationFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}
type Notified = {
  readonly kind: 'acknowledged';
  readonly notifications: NotificationFilter;
} | {
  readonly kind: 'toolsChanged' | 'promptsChanged' | 'resourcesChanged';
} | {
  readonly kind: 'resourceUpdated';
  readonly uri: string;
};
type ClientErrorReason = 'refused' | 'http' | 'unreachable' | 'invalid' | 'unanswered' | 'unsendable' | 'timeout';
interface ErrorDetails {
  readonly code?: number;
  readonly data?: unknown;
  readonly status?: number;
  readonly headers?: Headers;
  readonly cause?: unknown;
}
declare class ClientError extends Error {
  readonly name = "ClientError";
  readonly reason: ClientErrorReason;
  readonly code: number | null;
  readonly data: unknown;
  readonly status: number | null;
  readonly headers: Headers | null;
  constructor(reason: ClientErrorReason, message: string, details?: ErrorDetails);
}
type AskedInput = {
  readonly kind: 'form';
  readonly key: string;
  readonly message: string;
  readonly schema: FormSchema;
} | {
  readonly kind: 'url';
  readonly key: string;
  readonly message: string;
  readonly url: string;
} | {
  readonly kind: 'sampling';
  readonly key: string;
  readonly params: CreateMessageParams;
} | {
  readonly kind: 'roots';
  readonly key: string;
};
interface RootFolder {
  readonly uri: string;
  readonly name?: string;
}
type InputAnswer = string | JsonObject | readonly (string | RootFolder)[];
type AnswerFunction = (asked: AskedInput) => InputAnswer | Promise<InputAnswer>;
type InputAnswers = AnswerFunction | {
  readonly [key: string]: InputAnswer | AnswerFunction;
};
interface ClientOptions {
  readonly url: string | URL;
  readonly token?: string | (() => string | Promise<string>);
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
  readonly info?: Implementation;
  readonly answers?: InputAnswers;
  readonly capabilities?: JsonObject;
  readonly timeout?: number;
  readonly onWarning?: (sentence: string) => void;
}
interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}
interface CallOptions extends RequestOptions {
  readonly answers?: InputAnswers;
  readonly onProgress?: (update: ProgressUpdate) => void;
  readonly onLog?: (message: LogMessage) => void;
  readonly logLevel?: LogLevel;
}
interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject & {
    readonly type: 'object';
  };
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}
type ListedResource = Omit<ResourceLink, 'type'>;
type ListedTemplate = Omit<ListedResource, 'uri' | 'size'> & {
  readonly uriTemplate: string;
};
interface ListedPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}
interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}
interface ReadResult {
  readonly contents: readonly (TextResourceContents | BlobResourceContents)[];
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
  readonly _meta?: JsonObject;
}
interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
}
interface CompletionResult {
  readonly completion: {
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
  readonly _meta?: JsonObject;
}
interface DiscoverResult {
  readonly supportedVersions: readonly string[];
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  readonly _meta?: JsonObject;
}
type CompletionTarget = {
  readonly prompt: string;
} | {
  readonly template: string;
};
interface Client {
  readonly discover: (options?: RequestOptions) => Promise<DiscoverResult>;
  readonly listTools: (options?: RequestOptions) => Promise<readonly ListedTool[]>;
  readonly listResources: (options?: RequestOptions) => Promise<readonly ListedResource[]>;
  readonly listResourceTemplates: (options?: RequestOptions) => Promise<readonly ListedTemplate[]>;
  readonly listPrompts: (options?: RequestOptions) => Promise<readonly ListedPrompt[]>;
  readonly callTool: (name: string, args?: object, options?: CallOptions) => Promise<CallResult>;
  readonly readResource: (uri: string, options?: CallOptions) => Promise<ReadResult>;
  readonly getPrompt: (name: string, args?: Readonly<Record<string, string>>, options?: CallOptions) => Promise<PromptResult>;
  readonly complete: (target: CompletionTarget, argument: {
    readonly name: string;
    readonly value: string;
  }, options?: RequestOptions & {
    readonly context?: Readonly<Record<string, string>>;
  }) => Promise<CompletionResult['completion']>;
  readonly listen: (filter: NotificationFilter, options?: Pick<RequestOptions, 'signal'>) => AsyncGenerator<Notified, void, undefined>;
}
interface LogLine {
  readonly severity: ConsoleMethod;
  readonly fields: JsonObject;
  readonly thrown?: unknown;
}
interface ToolResult<Value> {
  readonly value: Value;
  readonly text: string;
  readonly content: readonly Content[];
  readonly progress: readonly ProgressUpdate[];
  readonly log: readonly LogMessage[];
  readonly asked: readonly AskedInput[];
}
type AnswersFor<Q> = unknown extends Q ? InputAnswers : ((asked: AskedInput) => InputAnswer | Promise<InputAnswer>) | { readonly [Key in KeyOf<Q>]?: InputAnswer | ((asked: AskedInput) => InputAnswer | Promise<InputAnswer>) };
type KeyOf<Q> = Q extends unknown ? keyof Q & string : never;
type CallToolOptions<Arguments, Q> = CallToolSite<Q> & ({} extends Arguments ? {
  readonly input?: Arguments;
} : {
  readonly input: Arguments;
});
interface CallToolSite<Q> {
  readonly env?: Partial<Cloudflare.Env> & object;
  readonly caller?: FakeCaller | null;
  readonly answers?: AnswersFor<Q>;
  readonly signal?: AbortSignal;
}
declare function callTool<Arguments, Value, Q>(tool: Tool<Arguments, Value, Q>, ...options: {} extends Arguments ? [options?: CallToolOptions<Arguments, Q>] : [options: CallToolOptions<Arguments, Q>]): Promise<ToolResult<Value>>;
interface WorkerFetch<Definitions = unknown> {
  (request: Request, env: unknown, ctx: RequestContext): Promise<Response>;
  readonly '~types'?: Definitions;
}
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
type Change = Exclude<Notified, {
  readonly kind: 'acknowledged';
}>;
interface Watch {
  readonly filter: NotificationFilter;
  readonly pending: readonly Change[];
  readonly next: (kind?: Change['kind'], within?: Duration) => Promise<Change>;
  readonly stop: () => void;
}
interface TestCallOptions<Q = unknown> {
  readonly answers?: AnswersFor<Q>;
  readonly signal?: AbortSignal;
}
type SectionOf<Definitions, Name extends string, Any> = Definitions extends Readonly<Record<Name, infer Section>> ? Section : Readonly<Record<string, Any>>;
type Given<Arguments> = unknown extends Arguments ? object : Arguments;
type ArgumentList<Arguments, Q> = {} extends Arguments ? [input?: Given<Arguments>, options?: TestCallOptions<Q>] : [input: Arguments, options?: TestCallOptions<Q>];
type ToolCall<T> = T extends Tool<infer Arguments, infer Value, infer Q> ? (...args: ArgumentList<Arguments, Q>) => Promise<ToolResult<Value>> : never;
type PromptCall<T> = T extends Prompt<infer Arguments, infer Q> ? (...args: ArgumentList<Arguments, Q>) => Promise<PromptResult> : never;
type UriOf<Uri> = Uri extends `${infer Before}{${string}}${infer After}` ? `${Before}${string}${UriOf<After>}` : Uri;
interface ResourceContents extends ReadResult {
  readonly text: string;
}
interface TestClient<Definitions = unknown> extends Client {
  readonly tools: { readonly [Name in keyof SectionOf<Definitions, 'tools', Tool>]: ToolCall<SectionOf<Definitions, 'tools', Tool>[Name]> };
  readonly prompts: { readonly [Name in keyof SectionOf<Definitions, 'prompts', Prompt>]: PromptCall<SectionOf<Definitions, 'prompts', Prompt>[Name]> };
  readonly read: (uri: UriOf<keyof SectionOf<Definitions, 'resources', Resource>>, options?: TestCallOptions) => Promise<ResourceContents>;
  readonly watch: (filter: NotificationFilter) => Promise<Watch>;
}
type CacheStatus = 'HIT' | 'MISS' | 'EXPIRED' | 'REVALIDATED' | 'UPDATING' | 'STALE' | 'BYPASS' | 'DYNAMIC';
interface LogEntry {
  readonly entrypoint: string;
  readonly url: string;
  readonly props: unknown;
  readonly status: CacheStatus | 'THREW';
}
interface ConnectOptions extends Pick<ClientOptions, 'answers' | 'headers' | 'token'> {
  readonly caller?: FakeCaller | null;
  readonly env?: Partial<Cloudflare.Env> & object;
}
interface WorkerTestClient<Definitions = unknown> extends TestClient<Definitions> {
  readonly log: readonly LogLine[];
  readonly audit: () => readonly LogLine[];
  readonly cache: () => readonly LogEntry[];
  readonly advance: (by: Duration) => Promise<void>;
  readonly close: () => Promise<void>;
}
type ConnectUrlOptions = Omit<ClientOptions, 'url'>;
interface TestedWorker<Definitions = unknown> {
  readonly fetch: WorkerFetch<Definitions>;
}
type ConnectServerOptions = Omit<ConnectOptions, 'env'>;
declare function connect<Definitions>(worker: TestedWorker<Definitions>, options?: ConnectOptions): WorkerTestClient<Definitions>;
declare function connect<Definitions>(server: TestServer<Definitions>, options?: ConnectServerOptions): TestClient<Definitions>;
declare function connect<Definitions = unknown>(url: string | URL, options?: ConnectUrlOptions): TestClient<Definitions>;
declare function expectNoSideEffects<Arguments, Value, Q>(tool: Tool<Arguments, Value, Q>, ...options: {} extends Arguments ? [options?: CallToolOptions<Arguments, Q>] : [options: CallToolOptions<Arguments, Q>]): Promise<readonly AskedInput[]>;
export {
  type AnswersFor,
  type CallToolOptions,
  type Change,
  ClientError,
  type ConnectOptions,
  type ConnectServerOptions,
  type ConnectUrlOptions,
  type FakeCaller,
  type LogLine,
  type ResourceContents,
  type TestCallOptions,
  type TestClient,
  ToolError,
  type ToolResult,
  type Watch,
  type WorkerTestClient,
  callTool,
  connect,
  expectNoSideEffects };
