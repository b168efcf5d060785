import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { ClientError } from './client-error.ts'

/*
 * Reads what a server sent. A guard adds the place of the first wrong member to the trace, innermost first.
 */

type Trace = (string | number)[]

export type ShapeOf<Value> = (value: unknown, trace: Trace) => value is Value

interface MaybeShape<Value> {
  readonly optional: ShapeOf<Value>
}

/** The shapes of the known members of an object. Others are not looked at. */
type Members<Value> = {
  readonly [Key in keyof Value]-?: {} extends Pick<Value, Key>
    ? MaybeShape<Exclude<Value[Key], undefined>>
    : ShapeOf<Value[Key]>
}

/**
 * Returns the value, which has the shape.
 *
 * @param what names the value, to begin a sentence.
 * @throws {ClientError} that names the first member that is wrong.
 */
export function expectShape<Value>(shape: ShapeOf<Value>, value: unknown, what: string): Value {
  const trace: Trace = []
  if (shape(value, trace)) return value
  const steps = trace.toReversed().map((step) => (typeof step === 'number' ? `[${step}]` : step))
  const path = steps.join('.').replaceAll('.[', '[')
  const place = path === '' ? '' : `: \`${path}\` is missing or has a wrong type`
  throw new ClientError('invalid', `${what} is not what the specification says${place}.`)
}

export const isText: ShapeOf<string> = (value): value is string => typeof value === 'string'

export const isNumber: ShapeOf<number> = (value): value is number => typeof value === 'number'

export const isBoolean: ShapeOf<boolean> = (value): value is boolean => typeof value === 'boolean'

export const isObject: ShapeOf<JsonObject> = (value): value is JsonObject => isJsonObject(value)

/** A member that may have any value, or be missing. */
export const anything: MaybeShape<unknown> = {
  optional: (_value): _value is unknown => true,
}

export function maybe<Value>(shape: ShapeOf<Value>): MaybeShape<Value> {
  return { optional: shape }
}

export function oneOf<const Value extends string>(...values: readonly Value[]): ShapeOf<Value> {
  return (value): value is Value => values.some((each) => each === value)
}

export function listOf<Value>(item: ShapeOf<Value>): ShapeOf<readonly Value[]> {
  return (value, trace): value is readonly Value[] =>
    Array.isArray(value) && value.every((each, index) => item(each, trace) || stop(trace, index))
}

export function recordOf<Value>(item: ShapeOf<Value>): ShapeOf<Readonly<Record<string, Value>>> {
  return (value, trace): value is Readonly<Record<string, Value>> =>
    isJsonObject(value) &&
    Object.entries(value).every(([key, each]) => item(each, trace) || stop(trace, key))
}

export function objectOf<Value extends object>(members: Members<Value>): ShapeOf<Value> {
  const shapes = Object.entries<ShapeOf<unknown> | MaybeShape<unknown>>(members)
  return (value, trace): value is Value =>
    isJsonObject(value) &&
    shapes.every(([key, shape]) => {
      const member = Object.hasOwn(value, key) ? value[key] : undefined
      const isRight =
        typeof shape === 'function'
          ? shape(member, trace)
          : member === undefined || shape.optional(member, trace)
      return isRight || stop(trace, key)
    })
}

/** One of several objects, by a member that names the kind. */
export function eitherOf<Value extends object>(
  kind: keyof Value & string,
  shapes: ReadonlyMap<unknown, ShapeOf<Value>>,
): ShapeOf<Value> {
  return (value, trace): value is Value => {
    const shape = isJsonObject(value) ? shapes.get(value[kind]) : undefined
    return shape === undefined ? stop(trace, kind) : shape(value, trace)
  }
}

function stop(trace: Trace, step: string | number): false {
  trace.push(step)
  return false
}
