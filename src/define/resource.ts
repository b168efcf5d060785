import type { Annotations, Icon } from '../protocol/content.ts'
import { type Check, createCheck } from '../schema/check.ts'
import type { OutputOf, Schema } from '../schema/standard-schema.ts'
import type { Duration } from '../util/duration.ts'
import type { Deciding, Listing, Reading, Visible, WithAnswers, WithCaller } from './contexts.ts'
import type { Completers } from './prompt.ts'
import type { Answers, Questions } from './question.ts'

/** What a read is told of a template's variables: as `params` checks them, else as text. */
type ParamsOf<Uri extends string, P extends Schema> = [P] extends [never]
  ? ValuesOf<Uri>
  : OutputOf<P>

type CallerReading<Params, Answered> = Reading<Params> & WithCaller & WithAnswers<Answered>

interface Described<Uri extends string, P extends Schema> {
  /** A URI, or a template of RFC 6570 such as `shop://products/{sku}`; the README has the rules. */
  readonly uri: Uri
  /** Overrides the name that the file's place under `tools/` gives. */
  readonly name?: string
  /** A name for people. */
  readonly title?: string
  readonly description?: string
  /** The media type of what `read` returns, such as `text/markdown`. */
  readonly mime: string
  /** Bytes, where they are known beforehand. A template has none. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
  /** How long clients and the edge may cache what was read. By default it is not cached. */
  readonly cache?: Duration
  /** How long after that the edge may send the old content while it reads the new. */
  readonly stale?: Duration
  /** Checks the variables of a template, which are text, and says what `read` gets of them. */
  readonly params?: P
  readonly complete?: Completers<VariableOf<Uri>>
}

/** A resource that is the same for everybody, so that any cache may keep it. */
interface SharedResource<Uri extends string, P extends Schema> extends Described<Uri, P> {
  /** Nobody is told who the caller is: what is read cannot depend on it. */
  readonly shared: true
  // methods, not properties: TypeScript then lets resources of all types sit in one list
  list?(context: Listing): ResourcePage | Promise<ResourcePage>
  /** What depends on answers, or on who looks, is not the same for everybody. */
  readonly ask?: never
  readonly scopes?: never
  readonly conceal?: never
  readonly visible?: never
  read(context: Reading<ParamsOf<Uri, P>>): Contents | Promise<Contents>
}

/** A resource that may differ from caller to caller. */
interface CallerResource<Uri extends string, P extends Schema, Q extends Questions>
  extends Described<Uri, P>, Visible {
  readonly shared?: false
  /** The resources of a template that exist, where they are rows somewhere, a page at a time. */
  list?(context: Listing & WithCaller): ResourcePage | Promise<ResourcePage>
  /** What has to be asked before the read, if anything. It only looks things up. */
  ask?(context: Reading<ParamsOf<Uri, P>> & WithCaller & Deciding): Q | Promise<Q>
  /** Returns what is there, or `null` where nothing is. */
  read(context: CallerReading<ParamsOf<Uri, P>, Answers<Q>>): Contents | Promise<Contents>
}

/** What an author writes; see {@link defineResource}. */
export type ResourceDefinition<Uri extends string, P extends Schema, Q extends Questions> =
  | SharedResource<Uri, P>
  | CallerResource<Uri, P, Q>

/** A resource as the rest of Helve sees it, its types erased and its check made. */
export interface Resource {
  readonly kind: 'resource'
  readonly definition: ResourceDefinition<string, Schema, Questions>
  readonly checkParams: Check | null
}

/**
 * Defines a resource, or with a template in `uri` a whole family of them. Make it the default export
 * of a module under `tools/`.
 *
 * The specification's page is server/resources.
 */
export function defineResource<
  Uri extends string,
  P extends Schema = never,
  Q extends Questions = Record<string, never>,
>(definition: ResourceDefinition<Uri, P, Q>): Resource {
  const { params } = definition
  return {
    kind: 'resource',
    definition,
    checkParams: params === undefined ? null : createCheck(params),
  }
}

/** A resource that is there now, as `list` tells of it (server/resources, "Resource"). */
export interface ResourceRow {
  /** Made from the template of the same module; encode the values with `encodeURIComponent`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The media type; that of the definition unless said otherwise. */
  readonly mime?: string
  /** Bytes. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** Some of the resources that are there now. */
export interface ResourcePage {
  readonly resources: readonly ResourceRow[]
  /** The cursor of the page that follows; none after the last one. */
  readonly next?: string
}

/** One piece of what a resource holds; a directory may hold several (server/resources). */
type ContentsPart = {
  /** Where this piece stands by itself; the URI that was read unless said otherwise. */
  readonly uri?: string
  /** The media type of this piece; that of the resource unless said otherwise. */
  readonly mime?: string
} & (
  | { readonly text: string }
  /** Bytes, or text that is Base64 already. */
  | { readonly blob: Uint8Array | string }
)

/**
 * What a read may return; `null` where nothing is. Plain bytes and streams become text where the
 * media type is one of text and they are UTF-8, and Base64 otherwise: `{ blob }` is always Base64.
 */
export type Contents =
  | string
  | Uint8Array
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
