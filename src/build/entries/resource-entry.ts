import type { ResourceEntry } from '../../define/registry.ts'
import type { Resource } from '../../define/resource.ts'
import { toResourceListing } from '../../mcp/resources-list.ts'
import { isJsonObject } from '../../protocol/json.ts'
import {
  type TemplatePart,
  delimiter,
  isTemplate,
  readTemplateParts,
} from '../../protocol/uri-template.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { toMilliseconds } from '../../util/duration.ts'
import { findUnknownCompleters, toArgumentEntry, toVisibilityMembers } from './shared-members.ts'

/** Creates the registry's entry of a resource, without `load`, which the build adds. */
export function toResourceEntry(
  name: string,
  { definition }: Resource,
  printOther?: PrintOther,
): Omit<ResourceEntry, 'load'> {
  const { uri, shared = false, cache, stale, params, complete } = definition
  const printed = params === undefined ? {} : toJsonSchema(params, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  return {
    name,
    uri,
    listed: JSON.stringify(toResourceListing({ ...definition, name })),
    shared,
    ttlMs: cache === undefined ? 0 : toMilliseconds(cache),
    staleMs: stale === undefined ? 0 : toMilliseconds(stale),
    asks: definition.ask !== undefined,
    ...toVisibilityMembers(definition),
    dynamic: isTemplate(uri) && definition.list !== undefined,
    arguments: variables.map((variable) =>
      toArgumentEntry(variable, properties[variable], complete),
    ),
  }
}

export function findResourceProblems(
  { definition }: Resource,
  printOther?: PrintOther,
): readonly string[] {
  const { uri, params, complete, size } = definition
  const problems = findTemplateProblems(uri).map((why) => `\`uri\` is "${uri}". ${why}`)
  if (!isTemplate(uri)) {
    const unused = (['params', 'complete', 'list'] as const).filter(
      (key) => definition[key] !== undefined,
    )
    return [
      ...problems,
      ...unused.map((key) => `\`${key}\` is for templates, and "${uri}" is not a template.`),
    ]
  }
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  const required =
    params === undefined ? [] : readRequired(toJsonSchema(params, 'input', printOther))
  return [
    ...problems,
    ...(size === undefined ? [] : ['`size` is for a single resource, and a template has many.']),
    ...required
      .filter((name) => !variables.includes(name))
      .map((name) => `\`params\` requires "${name}", which is not a variable of "${uri}".`),
    ...findUnknownCompleters(complete, 'variable', variables),
  ]
}

function readRequired({ required }: { readonly required?: unknown }): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/**
 * Finds everything that is wrong with a URI or URI template: characters that a URI cannot have
 * (RFC 3986), expressions that Helve does not match (RFC 6570), and ambiguous expressions.
 */
export function findTemplateProblems(template: string): readonly string[] {
  const parts = readTemplateParts(template)
  const names = parts.flatMap((part) => part.names)
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [
    ...findSchemeProblems(template),
    ...parts.flatMap(findPartProblems),
    ...[...twice].map((name) => `The variable "${name}" is used twice. Rename one.`),
    ...parts.flatMap((part, index) => findOrderProblems(part, parts.slice(index + 1))),
  ]
}

function findSchemeProblems(template: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]*:/.test(template)) return []
  return ['It must start with a scheme in lower case, such as "shop:".']
}

function findPartProblems(part: TemplatePart): readonly string[] {
  if (part.kind === 'text') return findTextProblems(part.text)
  if (part.kind === 'unsupported' || /[*:]/.test(part.text)) {
    return [`${part.text} is not supported. Use {var}, {+var}, {/a,b} or {?a,b}.`]
  }
  if (!part.names.every((name) => /^[A-Za-z_]\w*$/.test(name) && name !== '__proto__')) {
    return [`${part.text} needs variable names of letters, digits and "_".`]
  }
  const isList = part.kind === 'segment' || part.kind === 'rest'
  if (!isList || part.names.length === 1) return []
  return [`${part.text} has several variables. Give each its own braces, as in {a},{b}.`]
}

function findTextProblems(text: string): readonly string[] {
  const problems: string[] = []
  const [stray] = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})/u.exec(text) ?? []
  if (stray !== undefined) {
    problems.push(`${JSON.stringify(stray)} is not allowed in a URI. Percent-encode it.`)
  }
  if (/(?:^|\/)\.\.?(?:[/?#]|$)/.test(text)) {
    problems.push('It has a "." or ".." segment, which clients resolve before the request.')
  }
  return problems
}

function findOrderProblems(part: TemplatePart, after: readonly TemplatePart[]): readonly string[] {
  const [next, following] = after
  if (next === undefined) return []
  switch (part.kind) {
    case 'segment':
      return next.kind === 'text'
        ? findSeparatorProblems(part, next.text, following)
        : findUnseparated(part, next)
    case 'rest':
      return after.every(({ kind }, index) => kind === 'query' || (kind === 'text' && index === 0))
        ? []
        : [`After ${part.text} only text and {?...} may follow: it matches the rest of the path.`]
    case 'segments':
      return next.kind === 'query' ? [] : [`After ${part.text} only {?...} may follow.`]
    case 'query':
      return [`${part.text} must be at the end of the template.`]
    case 'text':
      return next.kind === 'query' && /[?#]/.test(part.text)
        ? [`Before ${next.text} there must not be a "?" or "#".`]
        : []
    case 'unsupported':
      return []
  }
}

function findUnseparated(part: TemplatePart, next: TemplatePart): readonly string[] {
  if (next.kind === 'query' || next.kind === 'segments') return []
  return [`There is no separator between ${part.text} and ${next.text}. Put a "/" there.`]
}

function findSeparatorProblems(
  part: TemplatePart,
  text: string,
  following: TemplatePart | undefined,
): readonly string[] {
  const isBetween = following?.kind === 'segment' || following?.kind === 'rest'
  if (!isBetween || delimiter.test(text)) return []
  return [
    `"${text}" does not separate ${part.text} from ${following.text}, because a value may contain ` +
      'it. Separate them with one of : / ? @ & + , ; =',
  ]
}
