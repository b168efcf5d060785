import type { Annotations, Icon } from '../protocol/content.ts'
import { type Check, createCheck } from '../schema/check.ts'
import type { OutputOf, Schema, Wrapped } from '../schema/standard-schema.ts'
import type { Duration } from '../util/duration.ts'
import type {
  ListContext,
  QuestionContext,
  ReadContext,
  VisibilityOptions,
  WithAnswers,
  WithCaller,
} from './contexts.ts'
import type { Completers } from './prompt.ts'
import type { AnswersTo, Questions } from './question.ts'

/** The variables of the template: the output of the schema `params`, otherwise text. */
type ParamsOf<Uri extends string, P extends Schema> = [P] extends [never]
  ? ValuesOf<Uri>
  : OutputOf<P>

/** The context of `read`. A shared resource has no `caller` and no `answers`. */
type ReadContextOf<Uri extends string, P extends Schema, Q extends Questions, S extends boolean> = [
  S,
] extends [false]
  ? ReadContext<ParamsOf<Uri, P>> & WithCaller & WithAnswers<AnswersTo<Q>>
  : ReadContext<ParamsOf<Uri, P>>

/** What an author writes; see {@link defineResource}. */
export interface ResourceDefinition<
  Uri extends string = string,
  P extends Schema = Schema,
  Q extends Questions = Questions,
  S extends boolean = boolean,
> extends VisibilityOptions {
  /** A URI, or a template of RFC 6570 such as `shop://products/{sku}`; see docs/resources.md. */
  readonly uri: Uri
  /** By default the path of the file under `tools/`, with `_` between folders. */
  readonly name?: string
  /** The name that people see. */
  readonly title?: string
  readonly description?: string
  /** The media type of what `read` returns, such as `text/markdown`. */
  readonly mime: string
  /** The size in bytes, if it is known in advance. Not for a template. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
  /** How long clients and the edge may cache the contents. By default they are not cached. */
  readonly cache?: Duration
  /** How much longer the edge may send old contents while it reads new ones. */
  readonly stale?: Duration
  /** A schema for the variables of the template. Its input is text; `read` gets its output. */
  readonly params?: P & Wrapped<P>
  readonly complete?: Completers<VariableOf<Uri>>
  /**
   * The contents are the same for all callers, so any cache may keep them. `read` and `list` have no
   * `caller`.
   */
  readonly shared?: S
  /** Lists the resources of a template that exist now, one page for each call. */
  list?(
    context: [S] extends [false] ? ListContext & WithCaller : ListContext,
  ): ResourcePage | Promise<ResourcePage>
  /** Returns the questions to ask before `read`. It must not change anything. */
  ask?(context: ReadContext<ParamsOf<Uri, P>> & WithCaller & QuestionContext): Q | Promise<Q>
  /** Returns the contents, or `null` if there is no such resource. */
  read(context: ReadContextOf<Uri, P, Q, S>): Contents | Promise<Contents>
}

/** What a shared resource cannot have. */
type Shareable<S extends boolean> = [S] extends [false]
  ? unknown
  : {
      readonly ask?: 'A resource with `shared: true` cannot ask: what is read would depend on the answer'
      readonly scopes?: 'A resource with `shared: true` cannot have `scopes`: all callers may read it'
      readonly conceal?: 'A resource with `shared: true` cannot have `conceal`: all callers may read it'
      readonly visible?: 'A resource with `shared: true` cannot have `visible`: all callers may read it'
    }

/** Resolves to `unknown`; see `Infers` in tool.ts. */
type Infers<Uri, P, Q, S> = [Uri] extends [never]
  ? {
      readonly uri?: Uri
      readonly params?: P
      readonly shared?: S
      ask?(context: never): Q | Promise<Q>
    }
  : unknown

type AnyResource =
  | (ResourceDefinition<string, Schema, Questions, true> & { readonly shared: true })
  | (ResourceDefinition<string, Schema, Questions, false> & { readonly shared?: false })

/** What {@link defineResource} returns. Its types flow to those who read the resource from code. */
export interface Resource<Uri extends string = string, Q = unknown> {
  readonly kind: 'resource'
  readonly definition: AnyResource
  readonly checkParams: Check | null
  /** Only for the compiler. */
  readonly '~types'?: { readonly uri: Uri; readonly questions: Q }
}

/**
 * Defines a resource, or many resources if `uri` is a template. Make it the default export of a
 * module under `tools/`.
 *
 * The specification's page is server/resources.
 */
export function defineResource<
  Uri extends string,
  P extends Schema = never,
  Q extends Questions = Record<never, never>,
  const S extends boolean = false,
>(
  definition: ResourceDefinition<Uri, P, Q, S> & Shareable<S> & Infers<Uri, P, Q, S>,
): Resource<Uri, Q>
export function defineResource(definition: AnyResource): Resource {
  const { params } = definition
  return {
    kind: 'resource',
    definition,
    checkParams: params === undefined ? null : createCheck(params),
  }
}

/** A resource that exists now, as `list` returns it (server/resources, "Resource"). */
export interface ResourceRow {
  /** An expansion of the template in `uri`. Encode the values with `encodeURIComponent`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The media type: by default that of the definition. */
  readonly mime?: string
  /** The size in bytes. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** One page of the resources that exist now. */
export interface ResourcePage {
  readonly resources: readonly ResourceRow[]
  /** The cursor of the next page; the last page has none. */
  readonly next?: string | undefined
}

/** One part of the contents of a resource. A directory may have several (server/resources). */
export type ContentsPart = {
  /** The URI of this part: by default the URI that was read. */
  readonly uri?: string
  /** The media type of this part: by default that of the resource. */
  readonly mime?: string
} & (
  | { readonly text: string }
  /** Bytes, Base64 text in any spelling, or a data URL of Base64. */
  | { readonly blob: Uint8Array | ArrayBuffer | string }
)

/**
 * What `read` returns; `null` if there is no such resource. Bytes and streams are sent as text if the
 * media type is textual and they are UTF-8, otherwise as Base64. `{ blob }` is always Base64.
 */
export type Contents =
  | string
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | ContentsPart
  | readonly ContentsPart[]
  | null

/*
 * The variables of a URI template, read from its text by the compiler, so that `params` are typed
 * without a schema and a completion for a variable that is not there does not compile.
 */

/** The names of a template's variables: `'shop://{shelf}/{sku}'` has `'shelf' | 'sku'`. */
type VariableOf<Uri extends string> = string extends Uri
  ? string
  : Uri extends `${string}{${infer Expression}}${infer Rest}`
    ? NameOf<Expression> | VariableOf<Rest>
    : never

/** What a template's variables hold. Those of `{/a}` and `{?a,b}` may be absent. */
type ValuesOf<Uri extends string> = string extends Uri
  ? Readonly<Record<string, string>>
  : Flat<ValuesIn<Uri>>

type ValuesIn<Uri extends string> = Uri extends `${string}{${infer Expression}}${infer Rest}`
  ? ValuesOfExpression<Expression> & ValuesIn<Rest>
  : unknown

type ValuesOfExpression<Expression extends string> = Expression extends `${'/' | '?'}${string}`
  ? { readonly [Name in NameOf<Expression>]?: string }
  : { readonly [Name in NameOf<Expression>]: string }

type NameOf<Expression extends string> = Expression extends `${'+' | '/' | '?'}${infer Names}`
  ? Split<Names>
  : Split<Expression>

type Split<Names extends string> = Names extends `${infer Name},${infer Rest}`
  ? Name | Split<Rest>
  : Names

type Flat<Values> = { readonly [Name in keyof Values]: Values[Name] }
