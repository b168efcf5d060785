import type { Annotations, Icon, Implementation, ResourceLink } from './content.ts'
import { type JsonObject, findJsonLoss, isJsonObject } from './json.ts'

/*
 * Reads what authors return against the JSON Schema of the specification: clients drop a whole
 * result for one member of the wrong type, such as the null that a database returns. A value that
 * needs no change is returned itself.
 */

/** `mend` changes what can be changed safely, and leaves out members that are null. */
type Mode = 'mend' | 'strict'

export interface Member {
  /** What it must be, as the end of a sentence. */
  readonly wanted: string
  /** Returns the value, changed if that is safe; `undefined` for a wrong value. */
  readonly read: (value: unknown, at: string, mode: Mode) => unknown
  readonly isRequired?: true
}

/** The members of an object of the protocol. Others are sent as they are. */
export type Shape<Value> = { readonly [Key in keyof Value]-?: Member }

/**
 * Reads the members of an object.
 *
 * @param at where the object is, to begin the names of its members in sentences.
 * @throws {TypeError} that names a member that is wrong or missing.
 */
export function readMembers<Value extends object>(
  shape: Shape<Value>,
  value: JsonObject,
  at: string,
  mode?: Mode,
): Value
export function readMembers(
  shape: Readonly<Record<string, Member>>,
  value: JsonObject,
  at: string,
  mode: Mode = 'mend',
): object {
  const plain = toPlain(value, at)
  let mended: Record<string, unknown> | null = null
  for (const key in shape) {
    const member = shape[key]
    const given = plain[key]
    if (member === undefined || (given === undefined && !member.isRequired)) continue
    if (given === null && !member.isRequired && mode === 'mend') {
      mended ??= { ...plain }
      delete mended[key]
      continue
    }
    const read = given === null ? undefined : member.read(given, `${at}${key}`, mode)
    if (read === undefined || (read !== given && mode === 'strict')) {
      throw createWrong(`${at}${key}`, given, member.wanted)
    }
    if (read !== given) mended = { ...(mended ?? plain), [key]: read }
  }
  return mended ?? plain
}

/**
 * Returns what JSON has of an object, which with `toJSON` is something else: read before that, wrong members
 * would reach clients.
 *
 * @throws {TypeError} when that is not an object.
 */
export function toPlain(value: JsonObject, at: string): JsonObject {
  if (typeof value['toJSON'] !== 'function') return value
  const json: unknown = value['toJSON']('')
  if (!isJsonObject(json)) throw createWrong(at.replace(/[.: ]+$/, ''), json, 'an object')
  return { ...json, toJSON: undefined }
}

export function createWrong(at: string, given: unknown, wanted: string): TypeError {
  const state = given === undefined ? 'is missing' : `is ${toShown(given)}`
  return new TypeError(`\`${at}\` ${state}. It must be ${wanted}.`)
}

/** How much of a wrong value a sentence shows. */
const maxShown = 80

export function toShown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > maxShown ? `${value.slice(0, maxShown)}...` : value)
    case 'number':
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'an array' : 'an object'
    default:
      return `a ${typeof value}`
  }
}

export function required(member: Member): Member {
  return { ...member, isRequired: true }
}

/** Any text. */
export const anyText: Member = {
  wanted: 'text',
  read: (value) => (typeof value === 'string' ? value : undefined),
}

export const anyUri: Member = {
  wanted: 'a URI with a scheme, such as "shop://orders/1"',
  read(value) {
    if (value instanceof URL) return value.href
    return typeof value === 'string' ? toUri(value) : undefined
  },
}

/** Returns a URI as it is: encoded, its hidden characters and secrets would pass the sanitizer. */
function toUri(value: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.test(value) ? value : undefined
}

const size: Member = {
  wanted: 'a whole number of bytes, 0 or more',
  read: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined),
}

export const meta: Member = {
  wanted: 'an object of JSON values',
  read(value, at) {
    const plain = isJsonObject(value) ? toPlain(value, at) : undefined
    return plain !== undefined && findJsonLoss(plain) === null ? plain : undefined
  },
}

export const mediaType: Member = {
  wanted: 'a media type, such as "image/png"',
  read: (value) => (isMediaType(value) ? value : undefined),
}

/** Returns whether a value is a type and a subtype of RFC 6838, with any parameters. */
export function isMediaType(value: unknown): boolean {
  return typeof value === 'string' && /^\w[\w.+!#$&^-]*\/\w[\w.+!#$&^-]*\s*(?:;.+)?$/.test(value)
}

export const annotations: Member = {
  wanted: 'an object, such as { priority: 1 }',
  read: (value, at, mode) =>
    isJsonObject(value) ? readMembers(annotationsShape, value, `${at}.`, mode) : undefined,
}

const annotationsShape: Shape<Annotations> = {
  audience: {
    wanted: 'a list of "user" and "assistant"',
    read(value) {
      const roles: readonly unknown[] = Array.isArray(value) ? value : [value]
      if (!roles.every((role) => role === 'user' || role === 'assistant')) return undefined
      return Array.isArray(value) ? value : roles
    },
  },
  priority: {
    wanted: 'a number from 0 to 1',
    read: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined),
  },
  lastModified: {
    wanted: 'an ISO 8601 time, such as "2026-11-30T12:00:00Z"',
    read: toIsoTime,
  },
}

/** A cheap check for most complete times: on a day that each month has. */
const completeTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/

/**
 * Completes a time that clients refuse: a date, or a time without an offset, as SQLite prints it.
 * Both are in UTC, as everything in a Worker.
 */
function toIsoTime(value: unknown): string | undefined {
  // a Date has years of six digits too, and one that is invalid has no ISO form
  if (value instanceof Date) return toIsoTime(value.toJSON())
  if (typeof value !== 'string') return undefined
  if (completeTime.test(value)) return value
  const parts = isoTime.exec(value)
  if (parts === null) return undefined
  const [, year, month, day, time = '00:00:00', offset = 'Z'] = parts
  const seconds = time.length === 5 ? ':00' : ''
  const complete = `${year}-${month}-${day}T${time}${seconds}${offset}`
  // V8 reads the 30th of February as a day of March
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) <= days && !Number.isNaN(Date.parse(complete)) ? complete : undefined
}

const icons: Member = {
  wanted: 'an array of icons, such as [{ src: "https://example.com/icon.png" }]',
  read(value, at, mode) {
    if (!Array.isArray(value)) return undefined
    const given: readonly unknown[] = value
    const read = given.map((icon, index) => {
      if (isJsonObject(icon)) return readMembers(iconShape, icon, `${at}[${index}].`, mode)
      throw createWrong(`${at}[${index}]`, icon, 'an icon')
    })
    return read.every((icon, index) => icon === given[index]) ? value : read
  },
}

/** Clients must refuse icons of all other schemes, `http:` too (basic/index, "icons"). */
const iconShape: Shape<Icon> = {
  src: required({
    wanted: 'an https: or data: URL',
    read: (value) =>
      typeof value === 'string' && /^(?:https:\/\/[^/]|data:[^,]*,)/i.test(value)
        ? toUri(value)
        : undefined,
  }),
  mimeType: anyText,
  sizes: {
    wanted: 'a list of sizes, such as ["48x48"]',
    read(value) {
      if (typeof value === 'string') return value.split(/[\s,]+/).filter((one) => one !== '')
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
        ? value
        : undefined
    },
  },
  theme: {
    wanted: '"light" or "dark"',
    read: (value) => (value === 'light' || value === 'dark' ? value : undefined),
  },
}

/** What lists say about a resource. */
export const resourceMembers: Shape<Omit<ResourceLink, 'type' | 'mimeType' | '_meta'>> = {
  uri: required(anyUri),
  name: required(anyText),
  title: anyText,
  description: anyText,
  size,
  icons,
  annotations,
}

/** What a server says about itself. */
export const serverShape: Shape<Implementation & { readonly instructions?: string }> = {
  instructions: anyText,
  name: required(anyText),
  version: required(anyText),
  title: anyText,
  description: anyText,
  websiteUrl: {
    wanted: 'an http: or https: URL',
    read: (value) =>
      typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) ? toUri(value) : undefined,
  },
  icons,
}

type CheckedMember = 'icons' | 'annotations' | 'size'

const checkedMembers: Readonly<Record<CheckedMember, Member>> = { icons, annotations, size }

/**
 * Returns a sentence about a value that clients would refuse for a member of a definition; `null`
 * for a good one. Nothing is mended here: an author can correct it.
 */
export function findMemberProblem(key: CheckedMember, value: unknown): string | null {
  try {
    readMembers({ [key]: required(checkedMembers[key]) }, { [key]: value }, '', 'strict')
    return null
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
}
