import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type Dialect, type Subschema, childrenOf } from './keywords.ts'

/** The base URI of a schema without `$id`, against which relative references resolve. */
const defaultBase = 'https://schema.invalid/'

/**
 * The subschemas that references of a schema lead to. Nothing is fetched: a reference that leads out of the
 * schema has no target (basic/index, "$ref Resolution").
 */
export class SchemaReferences {
  readonly #dialect: Dialect
  /** Schemas with an `$id` by absolute URI, and with an anchor by URI and fragment. */
  readonly #byUri = new Map<string, JsonObject>()
  readonly #bases = new Map<JsonObject, string>()
  readonly #places = new Map<JsonObject, string>()
  /** Schemas with a `$dynamicAnchor`: by its name, then by the base URI of their resource. */
  readonly #dynamic = new Map<string, Map<string, JsonObject>>()

  /** @throws {TypeError} when an `$id` is not a URI reference. */
  constructor(root: JsonObject, dialect: Dialect) {
    this.#dialect = dialect
    this.#byUri.set(defaultBase, root)
    this.#add(root, defaultBase, '#')
  }

  /** Whether a check must remember which resources it has entered. */
  get isDynamic(): boolean {
    return this.#dynamic.size > 0
  }

  baseOf(schema: JsonObject): string {
    return this.#bases.get(schema) ?? defaultBase
  }

  /** Every subschema, with a JSON Pointer for messages. */
  subschemas(): ReadonlyMap<JsonObject, string> {
    return this.#places
  }

  /**
   * Returns the target of a `$ref`; `undefined` if there is none.
   *
   * @throws {TypeError} when the reference is not a URI reference.
   */
  resolve(reference: string, from: JsonObject): Subschema | undefined {
    const url = new URL(reference, this.baseOf(from))
    const fragment = decodeFragment(url.hash)
    url.hash = ''
    if (fragment !== '' && !fragment.startsWith('/'))
      return this.#byUri.get(`${url.href}#${fragment}`)
    const resource = this.#byUri.get(url.href)
    return resource === undefined ? undefined : this.#follow(fragment, resource)
  }

  /**
   * Returns the schemas that a `$dynamicRef` may lead to: its own target, or, where that has the
   * `$dynamicAnchor`, the schema with the same anchor in each resource.
   */
  resolveDynamic(reference: string, from: JsonObject): DynamicTarget {
    const target = this.resolve(reference, from)
    const name = isJsonObject(target) ? target['$dynamicAnchor'] : undefined
    const isAnchored = typeof name === 'string' && reference.endsWith(`#${name}`)
    const byBase = isAnchored ? this.#dynamic.get(name) : undefined
    return { target, byBase: byBase ?? new Map() }
  }

  /** Follows a pointer to a subschema. Data that looks like one, as in a `default`, is not one. */
  #follow(pointer: string, resource: JsonObject): Subschema | undefined {
    let schema = resource
    let found: unknown = resource
    // the steps since the last schema: a keyword, and the key in its list or map
    let steps: string[] = []
    for (const step of pointer.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
        return undefined
      found = Reflect.get(found, key)
      steps.push(key)
      if (!isJsonObject(found) || !this.#bases.has(found)) continue
      schema = found
      steps = []
    }
    if (steps.length === 0) return schema
    const [keyword, key = null] = steps
    const child = childrenOf(schema).find(
      (child) =>
        child.keyword === keyword && (child.key === null ? null : String(child.key)) === key,
    )
    return child?.schema
  }

  #add(schema: JsonObject, outerBase: string, place: string): void {
    if (this.#bases.has(schema)) return
    const { $id, $anchor, $dynamicAnchor } = schema
    // in draft-07 a reference hides all other keywords, and an anchor is an `$id` with a fragment alone
    const id = typeof $id === 'string' && !(this.#dialect === '7' && '$ref' in schema) ? $id : '#'
    const url = new URL(id, outerBase)
    const anchor = this.#dialect === '7' ? decodeFragment(url.hash) : $anchor
    url.hash = ''
    const base = url.href
    this.#bases.set(schema, base)
    this.#places.set(schema, place)
    if (base !== outerBase) this.#byUri.set(base, schema)
    if (typeof anchor === 'string' && anchor !== '') this.#byUri.set(`${base}#${anchor}`, schema)
    if (typeof $dynamicAnchor === 'string' && this.#dialect !== '7') {
      this.#byUri.set(`${base}#${$dynamicAnchor}`, schema)
      const byBase = this.#dynamic.get($dynamicAnchor) ?? new Map<string, JsonObject>()
      this.#dynamic.set($dynamicAnchor, byBase.set(base, schema))
    }
    for (const { keyword, key, schema: child } of childrenOf(schema)) {
      const step = key === null ? '' : `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (isJsonObject(child)) this.#add(child, base, `${place}/${keyword}${step}`)
    }
  }
}

export interface DynamicTarget {
  readonly target: Subschema | undefined
  /** By the base URI of each resource: the outermost one that a check has entered decides. */
  readonly byBase: ReadonlyMap<string, JsonObject>
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
