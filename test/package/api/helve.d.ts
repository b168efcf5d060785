import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";

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
interface HandleEntry {
  readonly name: string;
  readonly load: () => Promise<{
    readonly default: HandleKind;
  }>;
}
type CallsOf<V, Q> = { readonly [Name in keyof V]: V[Name] extends ((state: never, ...args: infer Args) => infer Result) ? (...args: Args) => Promise<Result> : never } & SqlCallsOf<Q>;
type SqlCallsOf<Q> = string extends keyof Q ? unknown : { readonly [Name in keyof Q]: Q[Name] extends ((sql: SqlStorage, state: never, ...args: infer Args) => infer Result) ? (...args: Args) => Promise<Result> : never };
interface Handle<State = unknown, Calls = unknown, Args extends readonly unknown[] = readonly unknown[], Scope extends HandleScope = HandleScope> extends HandleKind {
  readonly scope: Scope;
  readonly '~types'?: {
    readonly state: State;
    readonly calls: Calls;
    readonly args: Args;
  };
}
declare function defineHandle<S extends StandardSchema<unknown, unknown>, Args extends readonly unknown[], V extends Verbs<OutputOf<S>>, Q extends SqlVerbs<OutputOf<S>>, const Scope extends HandleScope = 'id', const Prefix extends string = ''>(definition: HandleDefinition<S, Args, V, Q, Scope, Prefix> & NeedsPrefix<Scope, Prefix> & Infers$3<S, Args, V, Q, Scope, Prefix>): Handle<OutputOf<S>, CallsOf<V, Q>, Args, Scope>;
type Verbs<State> = Readonly<Record<string, (state: State, ...args: never[]) => unknown>>;
type SqlVerbs<State> = Readonly<Record<string, (sql: SqlStorage, state: State, ...args: never[]) => unknown>>;
type Synchronous<V> = { readonly [Name in keyof V]: V[Name] extends ((...args: never[]) => infer Result) ? [Extract<Result, PromiseLike<unknown>>] extends [never] ? unknown : 'A verb must be synchronous: await in the tool, before or after the verb' : unknown };
interface HandleDefinition<S extends StandardSchema<unknown, unknown>, Args extends readonly unknown[], V extends Verbs<OutputOf<S>>, Q extends SqlVerbs<OutputOf<S>>, Scope extends HandleScope, Prefix extends string> {
  readonly name: string;
  readonly scope?: Scope extends 'caller' ? Scope : '`scope` is "caller" or left out';
  readonly prefix?: [Scope] extends ['id'] ? Prefix : 'A handle with `scope: "caller"` has no id, so it has no `prefix`';
  readonly perCaller?: [Scope] extends ['id'] ? number : 'Each caller has one handle with `scope: "caller"`, so it has no `perCaller`';
  readonly idle: Duration;
  readonly max?: Duration;
  readonly state: S;
  readonly start: (...args: Args) => InputOf<S>;
  readonly verbs: V & Synchronous<V>;
  readonly tables?: string;
  readonly sql?: Q & Synchronous<Q>;
  readonly jurisdiction?: DurableObjectJurisdiction;
  readonly createdBy?: string;
  onExpire?(expired: ExpiredHandle<OutputOf<S>>): void | Promise<void>;
}
type Infers$3<S, Args extends readonly unknown[], V, Q, Scope, Prefix> = [S] extends [never] ? {
  readonly state?: S;
  readonly start?: (...args: Args) => unknown;
  readonly verbs?: V;
  readonly sql?: Q;
  readonly scope?: Scope;
  readonly prefix?: Prefix;
} : unknown;
type NeedsPrefix<Scope extends HandleScope, Prefix extends string> = [Scope] extends ['id'] ? [Prefix] extends [''] ? HandleWithIds : unknown : HandleOfCaller;
interface HandleWithIds {
  readonly prefix: string;
}
interface HandleOfCaller {
  readonly start: () => unknown;
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
type HandleIds<U extends Uses> = { readonly [Name in keyof U as U[Name] extends {
  readonly scope: 'id';
} ? Name : never]: string } & { readonly [Name in keyof U as U[Name] extends {
  readonly handle: {
    readonly scope: 'id';
  };
} ? Name : never]?: string };
declare function optional<H extends Handle>(handle: H): OptionalHandle<H>;
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
type Answers<Q> = Flat$2<{ readonly [Key in CertainKey<Q>]: AnswerOf<Member<Q, Key>> } & { readonly [Key in Exclude<AnyKey<Q>, CertainKey<Q>>]?: AnswerOf<Member<Q, Key>> }>;
type AnswersTo<Q> = [AnyKey<Q>] extends [never] ? Undeclared<'`ask` returns the questions, and must come before the function that reads `answers`'> : Answers<Q>;
type AnyKey<Q> = Q extends unknown ? keyof Q : never;
type Member<Q, Key extends PropertyKey> = Q extends unknown ? Key extends keyof Q ? Q[Key] : undefined : never;
type CertainKey<Q> = { [Key in AnyKey<Q>]: undefined extends Member<Q, Key> ? never : Key }[AnyKey<Q>];
type Flat$2<T> = { [Key in keyof T]: T[Key] };
declare function carry<Value extends Json>(value: Value): CarriedQuestion<Value>;
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
declare function reply<const Value>(value: Value, ...content: readonly (Content | string)[]): Reply<Value>;
declare function text(text: string, annotations?: Annotations): TextContent;
type Binary = Uint8Array | ArrayBuffer | string;
declare function image(data: Binary, mimeType: string, annotations?: Annotations): ImageContent;
declare function audio(data: Binary, mimeType: string, annotations?: Annotations): AudioContent;
declare function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink;
declare function embed(resource: {
  readonly uri: string;
  readonly mimeType?: string;
} & ({
  readonly text: string;
} | {
  readonly blob: Binary;
}), annotations?: Annotations): EmbeddedResource;
declare class ToolError extends Error {
  readonly name = "ToolError";
}
type NoInput = StandardSchema<Undeclared<'add `input` to the definition, such as `input: z.object({ ... })`'>>;
type SentTo<I extends Schema> = Same<I, NoInput> extends true ? Readonly<Record<string, never>> : unknown extends InputOf<I> ? JsonObject : InputOf<I>;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Flat$1<T> = { [Key in keyof T]: T[Key] };
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
type Unstructured = string | Content | readonly Content[];
type Returned<O extends Schema, Result> = [O] extends [NoOutput] ? Result : Structured<O> | Promise<Structured<O>>;
type Structured<O extends Schema> = ReadonlyDeep<InputOf<O>> | Reply<ReadonlyDeep<InputOf<O>>>;
type ReadonlyDeep<T> = unknown extends T ? T : T extends readonly unknown[] ? number extends T['length'] ? readonly ReadonlyDeep<T[number]>[] : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;
type NeedsOutput<O extends Schema, Result> = [O] extends [NoOutput] ? [Awaited<Result>] extends [Unstructured] ? unknown : [Awaited<Result>] extends [Unstructured | object] ? ToolThatReturnsAnObject : {
  run(context: never): Unstructured | Promise<Unstructured>;
} : unknown;
interface ToolThatReturnsAnObject {
  readonly output: Schema;
}
type Infers$2<I, O, Q, U, C, R> = [I] extends [never] ? {
  readonly input?: I;
  readonly output?: O;
  readonly uses?: U;
  readonly cache?: C;
  readonly hints?: {
    readonly readOnly?: R;
  };
  ask?(context: never): Q | Promise<Q>;
} : unknown;
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
type Keepable<C extends Duration> = [C] extends [never] ? unknown : {
  readonly uses?: 'A tool with `cache` cannot use handles: their state changes while a result is cached';
  readonly ask?: 'A tool with `cache` cannot ask: an answer belongs to one call';
};
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
type ArgumentsOf<I extends Schema, U extends Uses> = [keyof U] extends [never] ? SentTo<I> : Flat$1<(Same<I, NoInput> extends true ? unknown : SentTo<I>) & HandleIds<U>>;
type ValueOf<O extends Schema> = Same<O, NoOutput> extends true ? undefined : OutputOf<O>;
declare function defineTool<I extends Schema = NoInput, O extends Schema = NoOutput, Q extends Questions = Record<never, never>, U extends Uses = Record<never, never>, const C extends Duration = never, const S extends boolean = false, const R extends boolean = false, const Result extends Unstructured | object = string>(definition: ToolDefinition<I, O, Q, U, C, S, R, Result> & NeedsOutput<O, Result> & Keepable<C> & Infers$2<I, O, Q, U, C, R>): Tool<ArgumentsOf<I, U>, ValueOf<O>, Q>;
interface ExactLimit {
  readonly tokens: number;
  readonly per: Duration;
  readonly by?: 'caller' | 'tool' | 'all';
}
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
type Infers$1<I, Q> = [I] extends [never] ? {
  readonly input?: I;
  ask?(context: never): Q | Promise<Q>;
} : unknown;
interface Prompt<Arguments = unknown, Q = unknown> {
  readonly kind: 'prompt';
  readonly definition: PromptDefinition;
  readonly checkInput: Check;
  readonly '~types'?: {
    readonly arguments: Arguments;
    readonly questions: Q;
  };
}
declare function definePrompt<I extends Schema = NoInput, Q extends Questions = Record<never, never>>(definition: PromptDefinition<I, Q> & Infers$1<I, Q>): Prompt<SentTo<I>, Q>;
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
type Shareable<S extends boolean> = [S] extends [false] ? unknown : {
  readonly ask?: 'A resource with `shared: true` cannot ask: what is read would depend on the answer';
  readonly scopes?: 'A resource with `shared: true` cannot have `scopes`: all callers may read it';
  readonly conceal?: 'A resource with `shared: true` cannot have `conceal`: all callers may read it';
  readonly visible?: 'A resource with `shared: true` cannot have `visible`: all callers may read it';
};
type Infers<Uri, P, Q, S> = [Uri] extends [never] ? {
  readonly uri?: Uri;
  readonly params?: P;
  readonly shared?: S;
  ask?(context: never): Q | Promise<Q>;
} : unknown;
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
declare function defineResource<Uri extends string, P extends Schema = never, Q extends Questions = Record<never, never>, const S extends boolean = false>(definition: ResourceDefinition<Uri, P, Q, S> & Shareable<S> & Infers<Uri, P, Q, S>): Resource<Uri, Q>;
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
type FormAnswer<S extends Schema, Options extends AskOptions> = Told<Options, {
  readonly action: 'accept';
  readonly content: OutputOf<S>;
}, OutputOf<S>>;
declare function form<S extends Schema, const Options extends AskOptions = AskOptions>(message: string, schema: S & Wrapped<S>, options?: Options): AskedQuestion<FormAnswer<S, Options>>;
type LinkAnswer<Options extends AskOptions> = Told<Options, {
  readonly action: 'accept';
}, undefined>;
declare function link<const Options extends AskOptions = AskOptions>(message: string, url: string | URL, options?: Options): AskedQuestion<LinkAnswer<Options>>;
interface AskOptions {
  readonly declined?: 'tell';
  readonly unasked?: 'accept';
}
type Told<Options extends AskOptions, Accepted, Answer> = Options extends {
  readonly declined: 'tell';
} ? Accepted | {
  readonly action: 'decline' | 'cancel';
} : Answer;
interface Sampled {
  readonly role: 'user' | 'assistant';
  readonly content: readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string;
}
declare function sample(params: CreateMessageParams): AskedQuestion<Sampled>;
interface Root {
  readonly uri: string;
  readonly name?: string;
}
declare function roots(): AskedQuestion<readonly Root[]>;
type PurgeResult = Pick<CachePurgeResult, 'success' | 'errors'> | null;
type ListingsClass = new (ctx: ExecutionContext, env: Cloudflare.Env) => WorkerEntrypoint & {
  fetch(request: Request): Promise<Response>;
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>;
};
interface Authenticator {
  readonly authenticate: (context: AuthContext) => Promise<AuthResult>;
  readonly authorizationServers: (resource: string) => readonly string[];
  readonly allowsAnonymous: boolean;
}
interface LocalIssuer {
  readonly jwks: JsonObject;
  readonly extend: (auth: Authenticator) => Authenticator;
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
type AnswerReply = 'accepted' | 'closed';
interface SessionSubscription {
  readonly uri: string;
  readonly key: string;
}
interface ActiveSession {
  readonly kind: 'active';
  readonly version: number;
  readonly subscriptions: readonly SessionSubscription[];
}
type SessionState = ActiveSession | {
  readonly kind: 'ended';
};
type SessionReply = SessionState | {
  readonly kind: 'full';
};
declare class Bridge extends DurableObject {
  #private;
  constructor(state: DurableObjectState, env: Cloudflare.Env);
  fetch(request: Request): Promise<Response>;
  answer(index: number, text: string): Promise<AnswerReply>;
  readSession(): Promise<SessionState>;
  subscribe(subscription: SessionSubscription, until: number): Promise<SessionReply>;
  unsubscribe(uri: string, until: number): Promise<SessionReply>;
  endSession(until: number): Promise<void>;
  cancelCall(call: string): Promise<void>;
  alarm(): Promise<void>;
}
interface IndexedHandle {
  readonly objectId: string;
  readonly createdAt: number;
}
type FoundRun = {
  readonly kind: 'done';
  readonly result: string;
} | {
  readonly kind: 'running';
} | {
  readonly kind: 'unknown';
};
type RunClaimStatus = FoundRun | {
  readonly kind: 'yours';
};
interface RunClaimTimes {
  readonly runMs: number;
  readonly expiresAt: number;
}
interface LimitObject {
  takeToken(rule: BucketRule): Promise<BucketReply>;
  takeLease(id: string, rule: LeaseRule): Promise<LeaseReply>;
  endLease(id: string): Promise<void>;
}
interface BucketRule {
  readonly tokens: number;
  readonly perMs: number;
}
type BucketReply = {
  readonly allowed: true;
  readonly remaining: number;
} | {
  readonly allowed: false;
  readonly retryMs: number;
};
interface LeaseRule {
  readonly most: number;
  readonly ms: number;
}
type LeaseReply = {
  readonly allowed: true;
} | {
  readonly allowed: false;
  readonly retryMs: number;
};
interface HandlesObject extends LimitObject {
  create(address: HandleAddress, args: readonly unknown[]): Promise<HandleReply>;
  use(address: HandleAddress, verb: string, args: readonly unknown[]): Promise<HandleReply>;
  read(address: HandleAddress): Promise<HandleReply>;
  end(address: HandleAddress): Promise<HandleReply>;
  peek(): Promise<number | null>;
  addToIndex(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean>;
  removeFromIndex(kind: string, objectId: string): Promise<void>;
  listIndex(kind: string): Promise<readonly IndexedHandle[]>;
  claim(times: RunClaimTimes): Promise<RunClaimStatus>;
  look(): Promise<FoundRun | null>;
  finish(result: string): Promise<void>;
}
interface HandleAddress {
  readonly kind: string;
  readonly caller: string | null;
}
type HandleReply = {
  readonly kind: 'value';
  readonly value: unknown;
} | HandleRefusal;
type HandleRefusal = {
  readonly kind: 'gone';
} | {
  readonly kind: 'unreadable';
} | {
  readonly kind: 'too-large';
  readonly bytes: number;
} | {
  readonly kind: 'refused';
  readonly message: string;
  readonly cause?: ThrownReport;
} | {
  readonly kind: 'failed';
  readonly thrown: ThrownReport;
};
type ThrownReport = {
  readonly kind: 'error';
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly fields: object;
  readonly cause: ThrownReport | null;
} | {
  readonly kind: 'value';
  readonly value: unknown;
};
type HandlesClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => DurableObject & HandlesObject;
type ListKind = 'tools' | 'prompts' | 'resources';
interface Subscriptions {
  readonly uris: readonly string[];
  readonly version?: number;
}
type HubEvent = {
  readonly kind: 'list-changed';
  readonly list: ListKind;
  readonly needs: readonly string[];
} | {
  readonly kind: 'resource-updated';
  readonly uri: string;
  readonly needs: readonly string[];
};
declare class Hub extends DurableObject {
  #private;
  constructor(state: DurableObjectState, env: Cloudflare.Env);
  fetch(request: Request): Promise<Response>;
  publish(event: HubEvent): void;
  announce(digest: string): boolean;
  updateSession(session: string, {
    uris,
    version
  }: Subscriptions): void;
  endSession(session: string): void;
  stateKey(): Uint8Array;
  alarm(): Promise<void>;
}
interface RateWindow {
  readonly limit: number;
  readonly period: number;
}
interface Bindings {
  readonly vars: readonly string[];
  readonly limits: Readonly<Record<string, RateWindow>>;
  readonly versionMetadata?: string;
}
interface Registry<Definitions = unknown> {
  readonly digest: string;
  readonly code: string;
  readonly bindings: Bindings;
  readonly tools: readonly ToolEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly prompts: readonly PromptEntry[];
  readonly handles: readonly HandleEntry[];
  readonly localIssuer?: LocalIssuer;
  readonly '~types'?: Definitions;
}
interface ParamHeader {
  readonly name: string;
  readonly path: readonly string[];
}
interface ToolEntry {
  readonly name: string;
  readonly listed: string;
  readonly headers: readonly ParamHeader[];
  readonly readOnly: boolean;
  readonly cache: {
    readonly ttlMs: number;
    readonly staleMs: number;
    readonly shared: boolean;
  } | null;
  readonly scopes: readonly string[];
  readonly conceal: boolean;
  readonly conditional: boolean;
  readonly load: () => Promise<{
    readonly default: Tool;
  }>;
}
interface ArgumentEntry {
  readonly name: string;
  readonly suggestions: readonly string[] | 'completer';
}
interface ResourceEntry {
  readonly name: string;
  readonly uri: string;
  readonly listed: string;
  readonly shared: boolean;
  readonly ttlMs: number;
  readonly staleMs: number;
  readonly asks: boolean;
  readonly dynamic: boolean;
  readonly arguments: readonly ArgumentEntry[];
  readonly scopes: readonly string[];
  readonly conceal: boolean;
  readonly conditional: boolean;
  readonly load: () => Promise<{
    readonly default: Resource;
  }>;
}
interface PromptEntry {
  readonly name: string;
  readonly listed: string;
  readonly arguments: readonly ArgumentEntry[];
  readonly scopes: readonly string[];
  readonly conceal: boolean;
  readonly conditional: boolean;
  readonly load: () => Promise<{
    readonly default: Prompt;
  }>;
}
interface AuditSettings {
  readonly arguments?: boolean;
  readonly dataset?: string;
}
interface WorkerOptions<Definitions = unknown> extends Implementation {
  readonly registry: Registry<Definitions>;
  readonly instructions?: string;
  readonly endpoint?: `/${string}`;
  readonly origins?: readonly string[] | '*';
  readonly cache?: CacheSettings;
  readonly documents?: boolean;
  readonly page?: number;
  readonly maxResultBytes?: number;
  readonly auth?: Authenticator;
  readonly resource?: string;
  readonly limit?: LimitName;
  readonly whenUnreachable?: 'allow' | 'refuse';
  readonly audit?: false | AuditSettings;
  readonly secrets?: readonly string[];
  readonly public?: readonly string[];
  readonly hub?: HubSettings;
  readonly legacy?: boolean;
}
interface HubSettings {
  readonly shards?: number;
  readonly perCaller?: number;
}
interface CacheSettings {
  readonly lists?: Duration;
  readonly discover?: Duration;
  readonly stale?: Duration;
  readonly store?: 'workers' | 'colo' | false;
}
interface Worker<Definitions = unknown> {
  readonly fetch: WorkerFetch<Definitions>;
  readonly Handles: HandlesClass;
  readonly Hub: typeof Hub;
  readonly Bridge: typeof Bridge;
  readonly Listings: ListingsClass;
  readonly notify: (exports: unknown) => Notify;
  readonly purge: (exports: unknown) => Purge;
}
interface WorkerFetch<Definitions = unknown> {
  (request: Request, env: unknown, ctx: RequestContext): Promise<Response>;
  readonly '~types'?: Definitions;
}
declare function createWorker<Definitions>(options: WorkerOptions<Definitions>): Worker<Definitions>;
declare const webClients: readonly string[];
type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;
export {
  type Abilities,
  type Annotations,
  type AnswerOf,
  type Answers,
  type AskContext,
  type AskOptions,
  type AskedQuestion,
  type AskingCapability,
  type AudioContent,
  type AuditSettings,
  type AuthContext,
  type AuthLog,
  type AuthResult,
  type Authenticator,
  type BlobResourceContents,
  type CachedRunContext,
  type CallContext,
  type Caller,
  type CarriedQuestion,
  type CompleteContext,
  type Completer,
  type Completers,
  type Content,
  type Contents,
  type ContentsPart,
  type CreateMessageParams,
  type Duration,
  type EmbeddedResource,
  type ExactLimit,
  type ExpiredHandle,
  type FormAnswer,
  type Handle,
  type HandleDefinition,
  type HandleReader,
  type HandleScope,
  type HandleStub,
  type Handles,
  type Icon,
  type IdOf,
  type ImageContent,
  type Implementation,
  type InputOf,
  type Json,
  type JsonObject,
  type JsonSchema,
  type LimitName,
  type LinkAnswer,
  type ListContext,
  type ListedHandle,
  type LocalIssuer,
  type Log,
  type LogLevel,
  type Messages,
  type Notify,
  type NotifyOptions,
  type OpenedHandles,
  type OptionalHandle,
  type OutputOf,
  type Progress,
  type Prompt,
  type PromptContext,
  type PromptDefinition,
  type PromptEntry,
  type Purge,
  type Purged,
  type Question,
  type QuestionContext,
  type Questions,
  type ReadContext,
  type ReadableHandles,
  type Refusals,
  type Registry,
  Reply,
  type RequestContext,
  type Resource,
  type ResourceDefinition,
  type ResourceEntry,
  type ResourceLink,
  type ResourcePage,
  type ResourceRow,
  type RoleMessage,
  type Root,
  type RunContext,
  type Sampled,
  type SamplingContent,
  type SamplingMessage,
  type SamplingTool,
  type Schema,
  type ScopeHierarchy,
  type SqlVerbs,
  type StandardSchema,
  type StateOf,
  type Suggestions,
  type TextContent,
  type TextResourceContents,
  type Tool,
  type ToolDefinition,
  type ToolEntry,
  ToolError,
  type ToolHints,
  type ToolResultContent,
  type ToolUseContent,
  type Trace,
  type Uses,
  type Verbs,
  type VisibilityOptions,
  type VisibleContext,
  type WithAnswers,
  type WithCaller,
  type Worker,
  type WorkerFetch,
  type WorkerOptions,
  audio,
  carry,
  createWorker,
  defineHandle,
  definePrompt,
  defineResource,
  defineTool,
  embed,
  form,
  image,
  link,
  optional,
  reply,
  resourceLink,
  roots,
  sample,
  text,
  webClients };
