import type { Resource } from '../../define/resource.ts'
import { toResourceEntry } from '../../registry/resource-entry.ts'
import { findResourceProblems } from '../../registry/resource-problems.ts'
import { isTemplate } from '../../registry/uri-template-parts.ts'
import { readTemplate } from '../../registry/uri-template.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { Claim } from '../evaluation/evaluated.ts'
import { findStaleProblems } from './cache-problems.ts'
import { toForgery, type Describe } from './describe.ts'
import { findMemberProblems } from './member-problems.ts'
import { resourceRules } from './resource-rules.ts'
import { findSchemaRefusals } from './schema-refusals.ts'

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
