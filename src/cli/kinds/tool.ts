import type { Tool } from '../../define/tool.ts'
import { toToolListing } from '../../registry/tool-listing.ts'
import { readParamHeaders } from '../../schema/param-headers.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { Describe } from './describe.ts'
import { findNameProblems } from './name-problems.ts'
import { findSchemaRefusals } from './schema-refusals.ts'
import { findToolProblems } from './tool-problems.ts'

/** Describes a tool: its name, its entry in `tools/list` and its parameter headers. */
export const describeTool: Describe = ({ name: fileName, made, limits, printOther }) => {
  if (!isTool(made)) {
    return { problems: ['The default export is no tool. Make it with defineTool({ ... }).'] }
  }
  const definition = { ...made.definition }
  const name = definition.name ?? fileName
  const problems = [
    ...findNameProblems(name),
    ...findToolProblems(definition, limits),
    ...findSchemaRefusals('input', definition, printOther),
    ...findSchemaRefusals('output', definition, printOther),
  ]
  if (problems.length > 0) return { problems }
  const listing = toToolListing(name, made, printOther)
  const { headers, problems: misplaced } = readParamHeaders(listing.inputSchema)
  if (misplaced.length > 0) return { problems: misplaced.map((why) => `\`input\`: ${why}`) }
  const members = { name, listed: JSON.stringify(listing), headers }
  return { section: 'tools', key: name, members }
}

function isTool(made: JsonObject): made is JsonObject & Tool {
  return isJsonObject(made['definition']) && typeof made['checkInput'] === 'function'
}
