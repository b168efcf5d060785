import type { Purged } from '../define/purge.ts'

/*
 * What kept answers are tagged with, so that they can be purged. The platform takes printable ASCII,
 * ignores case, and drops a tag that is too long without a word.
 */

const maxTag = 1_000

/** On every list that was kept. */
export const listTag = 'resources'

/** On the result of a tool. */
export function toToolTags(name: string): readonly string[] {
  return [everyTool, `tool:${name}`]
}

/** On what was read at a URI, from an entry whose own URI may be a template. */
export function toReadTags(uri: string, entryUri: string): readonly string[] {
  return uri === entryUri ? [toUriTag(uri)] : [toUriTag(uri), toUriTag(entryUri)]
}

/** The tags of all that is to be purged. */
export function toPurgeTags({ tools = [], resources = [], lists = false }: Purged): string[] {
  const toolTags = tools === 'all' ? [everyTool] : tools.map((name) => `tool:${name}`)
  return [...toolTags, ...resources.map(toUriTag), ...(lists ? [listTag] : [])]
}

const everyTool = 'tools'

// URIs that only differ past the limit are purged together: the answer is made once too often
function toUriTag(uri: string): string {
  return `uri:${encodeURIComponent(uri.toWellFormed())}`.slice(0, maxTag)
}
