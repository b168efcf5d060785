import type { Duration } from '../kit/duration.ts'
import { createCheck, type Check } from '../schema/check.ts'
import type { OutputOf, Schema } from '../schema/standard.ts'
import type { Annotations, Icon } from '../wire/content.ts'
import type { Completers } from './completer.ts'
import type { Contents } from './contents.ts'
import type { Answers, Questions } from './question.ts'
import type { Listing, Reading, WithAnswers } from './reading.ts'
import type { Deciding, WithCaller } from './running.ts'
import type { ResourcePage } from './resource-page.ts'
import type { Visible } from './visible.ts'
import type { ValuesOf, VariableOf } from './uri-variables.ts'

/** What a read is told of a template's variables: as `params` checks them, else as text. */
export type ParamsOf<Uri extends string, P extends Schema> = [P] extends [never]
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
  /** How long what was read may be kept, by clients and by the edge; not at all unless said. */
  readonly fresh?: Duration
  /** How long after that the edge may send the old, while it has the new made. */
  readonly stale?: Duration
  /** Checks the variables of a template, which are text, and says what `read` gets of them. */
  readonly params?: P
  readonly complete?: Completers<VariableOf<Uri>>
}

/** A resource that is the same for everybody, so that any cache may keep it. */
export interface SharedResource<Uri extends string, P extends Schema> extends Described<Uri, P> {
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
export interface CallerResource<Uri extends string, P extends Schema, Q extends Questions>
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
