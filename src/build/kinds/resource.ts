import type { Resource, ResourceDefinition } from '../../define/resource.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { isTemplate, readTemplate } from '../../protocol/uri-template.ts'
import { findResourceProblems, toResourceEntry } from '../entries/resource-entry.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import { type Claim, type Describe, toForgery } from './evaluated.ts'
import {
  type MemberRule,
  type MemberRules,
  anything,
  findMemberProblems,
  findStaleProblems,
  mustBeFlag,
  mustBeFunction,
  mustBeFunctions,
  mustBeIcons,
  mustBeScopes,
  mustBeText,
  mustBeTime,
} from './members.ts'

/** Describes a resource or template: its entry in its list, and what the registry needs to read it. */
export const describeResource: Describe = ({ name: fileName, made }, { printOther }) => {
  if (!isResource(made)) return toForgery('resource', 'defineResource')
  const definition: JsonObject = { ...made.definition }
  const flaws = [
    ...findSharingProblems(definition),
    ...findMemberProblems(resourceRules, definition),
    ...findStaleProblems(definition),
    ...findSchemaRefusals('params', definition, printOther),
  ]
  // what does not fit together shows only where each part is sound
  const problems = flaws.length > 0 ? flaws : findResourceProblems(made, printOther)
  if (problems.length > 0) return { problems }
  const { uri, name = fileName } = made.definition
  const members = { ...toResourceEntry(name, made, printOther) }
  return { section: 'resources', key: uri, claims: [toUriClaim(uri)], members }
}

/** What makes a read depend on who asks, and cannot go with `shared: true`. */
const personal = ['ask', 'scopes', 'visible'] as const

function findSharingProblems(definition: JsonObject): readonly string[] {
  if (definition['shared'] !== true) return []
  return personal
    .filter((key) => definition[key] !== undefined)
    .map(
      (key) =>
        `\`shared: true\` promises every caller the same, and \`${key}\` makes it depend on who ` +
        'asks. Remove one of the two.',
    )
}

/** Two templates that match the same URIs claim the same, whatever they call their variables. */
function toUriClaim(uri: string): Claim {
  if (!isTemplate(uri)) return { key: uri, why: `All of these have the URI "${uri}". Keep one.` }
  const why = `All of these match the same URIs as "${uri}". Keep one, or tell them apart.`
  return { key: readTemplate(uri).pattern.source, why }
}

function isResource(made: unknown): made is Resource {
  if (!isJsonObject(made) || made['kind'] !== 'resource') return false
  return isJsonObject(made['definition']) && 'checkParams' in made
}

type Key = keyof ResourceDefinition

const members: Readonly<Record<Key, MemberRule>> = {
  uri: mustBeText,
  name: mustBeText,
  title: mustBeText,
  description: mustBeText,
  mime: findMimeProblem,
  size: (size) => (Number.isSafeInteger(size) ? null : 'is no number of bytes.'),
  icons: mustBeIcons,
  annotations: (value) => (isJsonObject(value) ? null : 'is no object, such as { priority: 1 }.'),
  fresh: mustBeTime('time to keep what was read', '"30s", "5m" or "1h"'),
  stale: mustBeTime('time to send the old', '"10m" or "1h"'),
  params: anything,
  complete: mustBeFunctions,
  shared: mustBeFlag,
  list: mustBeFunction,
  scopes: mustBeScopes,
  conceal: mustBeFlag,
  visible: mustBeFunction,
  ask: mustBeFunction,
  read: mustBeFunction,
}

/** What may stand in a resource's definition. Its schema is looked at elsewhere. */
export const resourceRules: MemberRules = {
  what: 'resource',
  members,
  needed: {
    uri: 'It is what clients read, such as "shop://catalog".',
    mime: 'It is the media type of what is read, such as "text/markdown".',
    read: 'It is the function that returns what is there.',
  },
  elsewhere: {
    cacheScope: 'is computed from `shared` and from what lists depend on. Leave it out.',
    public: 'is written `shared: true` here: what is read is then the same for every caller.',
    ttl: 'is called `fresh` here, such as "5m".',
    ttlMs: 'is called `fresh` here, such as "5m".',
    cache: 'is called `fresh` here, such as "5m".',
    mimeType: 'is called `mime` here.',
    uriTemplate: 'is called `uri` here, as that of any resource.',
    template: 'is called `uri` here, as that of any resource.',
    input: 'is called `params` here: a schema of the variables in `uri`.',
    run: 'is called `read` here.',
    handler: 'is called `read` here.',
  },
}

function findMimeProblem(mime: unknown): string | null {
  // a type and a subtype of RFC 6838, and whatever parameters
  if (typeof mime === 'string' && /^\w[\w.+!#$&^-]*\/\w[\w.+!#$&^-]*(?:;.+)?$/.test(mime))
    return null
  return `is ${JSON.stringify(mime)}, which is no media type. Write one such as "text/markdown".`
}
