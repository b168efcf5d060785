type JsonObject = {
  readonly [key: string]: unknown;
};
declare const logLevels: readonly ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
type LogLevel = (typeof logLevels)[number];
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
type Notified =
{
  readonly kind: 'acknowledged';
  readonly notifications: NotificationFilter;
} | {
  readonly kind: 'toolsChanged' | 'promptsChanged' | 'resourcesChanged';
} | {
  readonly kind: 'resourceUpdated';
  readonly uri: string;
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
type ClientErrorReason = 'refused' | 'http' | 'unreachable' | 'invalid' | 'unanswered' | 'unsendable' | 'timeout';
interface ErrorDetails {
  readonly code?: number;
  readonly data?: unknown;
  readonly status?: number;
  readonly headers?: Headers;
  readonly cause?: unknown;
}
export declare class ClientError extends Error {
  readonly name = "ClientError";
  readonly reason: ClientErrorReason;
  readonly code: number | null;
  readonly data: unknown;
  readonly status: number | null;
  readonly headers: Headers | null;
  constructor(reason: ClientErrorReason, message: string, details?: ErrorDetails);
}
type FormSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
};
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
export type CompletionTarget = {
  readonly prompt: string;
} | {
  readonly template: string;
};
export interface Client {
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
export declare function createClient(options: ClientOptions): Client;
export type { AskedInput, CallOptions, CallResult, ClientErrorReason, ClientOptions, CompletionResult, Content, CreateMessageParams, DiscoverResult, Fetch, FormSchema, Implementation, InputAnswer, InputAnswers, JsonObject, ListedPrompt, ListedResource, ListedTemplate, ListedTool, LogLevel, LogMessage, NotificationFilter, Notified, ProgressUpdate, PromptResult, ReadResult, RequestOptions, RootFolder };