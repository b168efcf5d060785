import type { Resource } from '../define/resource.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import { findStrayCompleters } from './stray-completers.ts'
import { isTemplate, readTemplateParts } from './uri-template-parts.ts'
import { findTemplateProblems } from './uri-template-problems.ts'

/** What in a resource's definition does not fit its URI, a sentence each, for the build to refuse. */
export function findResourceProblems(
  { definition }: Resource,
  printOther?: PrintOther,
): readonly string[] {
  const { uri, params, complete, size } = definition
  const problems = findTemplateProblems(uri).map((why) => `\`uri\` is "${uri}". ${why}`)
  if (!isTemplate(uri)) {
    const idle = (['params', 'complete', 'list'] as const).filter(
      (key) => definition[key] !== undefined,
    )
    return [...problems, ...idle.map((key) => `\`${key}\` is for templates, and "${uri}" is none.`)]
  }
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  const required =
    params === undefined ? [] : readRequired(toJsonSchema(params, 'input', printOther))
  return [
    ...problems,
    ...(size === undefined ? [] : ['`size` is for one resource, and a template stands for many.']),
    ...required
      .filter((name) => !variables.includes(name))
      .map((name) => `\`params\` requires "${name}", which is no variable of "${uri}".`),
    ...findStrayCompleters(complete, variables),
  ]
}

function readRequired({ required }: { readonly required?: unknown }): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
