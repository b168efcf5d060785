import type { Resource, ResourceDefinition } from '../../define/resource.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { findMemberProblem, isMediaType } from '../../protocol/read-members.ts'
import { isTemplate, readTemplate } from '../../protocol/uri-template.ts'
import { toFixedUri } from '../../mcp/resource-lookup.ts'
import { findResourceProblems, toResourceEntry } from '../entries/resource-entry.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import type { UniqueKey } from '../evaluated.ts'
import { type Describe, notCreatedBy } from './describe.ts'
import {
  type MemberRule,
  type MemberRules,
  anyValue,
  findMemberProblems,
  isSeconds,
  mustBeFlag,
  mustBeFunction,
  mustBeFunctions,
  mustBeIcons,
  mustBeScopes,
  mustBeText,
  mustBeTime,
  toWrongValue,
} from './members.ts'

/** Checks a resource or template and creates its entry: its listing, and how it is read. */
export const describeResource: Describe = ({ name: fileName, exported }, { printOther }) => {
  if (!isResource(exported)) return notCreatedBy('defineResource')
  const definition: JsonObject = { ...exported.definition }
  const flaws = [
    ...findSharingProblems(definition),
    ...findMemberProblems(resourceRules, definition),
    ...findStaleProblems(definition),
    ...findSchemaRefusals('params', definition, printOther),
  ]
  // how the parts fit together can be checked only when each part is valid
  const problems = flaws.length > 0 ? flaws : findResourceProblems(exported, printOther)
  if (problems.length > 0) return { problems }
  const { uri, name = fileName } = exported.definition
  const members = { ...toResourceEntry(name, exported, printOther) }
  const asks = definition['ask'] !== undefined
  const stored = {
    Hub: asks ? ['`ask` without STATE_KEY'] : [],
    Bridge: [...(asks ? ['`ask`'] : []), '`resources/subscribe`'],
  }
  return { section: 'resources', key: uri, uniqueKeys: [toUniqueUri(uri)], members, stored }
}

/** Options that make the content depend on the caller. */
const personal = ['ask', 'scopes', 'visible'] as const

function findSharingProblems(definition: JsonObject): readonly string[] {
  if (definition['shared'] !== true) return []
  return personal
    .filter((key) => definition[key] !== undefined)
    .map(
      (key) =>
        `\`shared: true\` cannot be combined with \`${key}\`, which makes the content depend on the ` +
        'caller. Remove one of the two.',
    )
}

export function findStaleProblems(resource: JsonObject): readonly string[] {
  if (resource['stale'] === undefined) return []
  if (!isSeconds(resource['cache'])) {
    return ['`stale` needs a `cache` of one second or more. Set `cache`, or remove `stale`.']
  }
  if (resource['ask'] === undefined) return []
  return [
    '`stale` cannot be combined with `ask`: a read with questions is not cached. Remove one of the two.',
  ]
}

/** Templates that match the same URIs have the same key, whatever their variables are called. */
function toUniqueUri(uri: string): UniqueKey {
  if (!isTemplate(uri)) {
    return { key: toFixedUri(uri), why: `These all have the URI "${uri}". Keep one.` }
  }
  const why = `These all match the same URIs as "${uri}". Keep one, or make the templates differ.`
  return { key: readTemplate(uri).pattern.source, why }
}

function isResource(exported: unknown): exported is Resource {
  if (!isJsonObject(exported) || exported['kind'] !== 'resource') return false
  return isJsonObject(exported['definition']) && 'checkParams' in exported
}

type Key = keyof ResourceDefinition

const members: Readonly<Record<Key, MemberRule>> = {
  uri: mustBeText,
  name: mustBeText,
  title: mustBeText,
  description: mustBeText,
  mime: findMimeProblem,
  size: (value) => findMemberProblem('size', value),
  icons: mustBeIcons,
  annotations: (value) => findMemberProblem('annotations', value),
  cache: mustBeTime('"30s", "5m" or "1h"'),
  stale: mustBeTime('"10m" or "1h"'),
  params: anyValue,
  complete: mustBeFunctions,
  shared: mustBeFlag,
  list: mustBeFunction,
  scopes: mustBeScopes,
  conceal: mustBeFlag,
  visible: mustBeFunction,
  ask: mustBeFunction,
  read: mustBeFunction,
}

/** The options of a resource. Its schema is checked elsewhere. */
export const resourceRules: MemberRules = {
  what: 'resource',
  members,
  required: {
    uri: 'It is the URI that clients read, such as "shop://catalog".',
    mime: 'It is the media type of the content, such as "text/markdown".',
    read: 'It is the function that returns the content.',
  },
  otherNames: {
    cacheScope: 'is computed from `shared` and from what lists depend on. Remove it.',
    public: 'is written `shared: true` here: the content is then the same for every caller.',
    fresh: 'is now `cache`.',
    ttl: 'is called `cache` here, such as "5m".',
    ttlMs: 'is called `cache` here, such as "5m".',
    mimeType: 'is called `mime` here.',
    uriTemplate: 'is called `uri` here.',
    template: 'is called `uri` here.',
    input: 'is called `params` here, and is a schema of the variables in `uri`.',
    run: 'is called `read` here.',
    handler: 'is called `read` here.',
  },
}

function findMimeProblem(mime: unknown): string | null {
  return isMediaType(mime)
    ? null
    : toWrongValue('mime', mime, 'a media type such as "text/markdown"')
}
