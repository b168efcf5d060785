import process from 'node:process'
import type { CallResult } from '../../client/client.ts'
import type { BlobResourceContents, Content, TextResourceContents } from '../../protocol/content.ts'
import { toAlignedText } from './aligned-text.ts'
import { type MediaFolder, toInlineImage } from './media.ts'
import { toSafeLine, toSafeText } from './printable.ts'

interface Shown {
  readonly folder: MediaFolder
  /** The name of the tool, for the names of files. */
  readonly name: string
}

/** Prints the result of a tool for people. Binary content is saved. */
export async function toResultText(result: CallResult, shown: Shown): Promise<string> {
  const { structuredContent, content } = result
  const parts: string[] = []
  if (structuredContent !== undefined) parts.push(toAlignedText(structuredContent))
  for (const block of content) {
    if (block.type === 'text' && isCopy(block.text, structuredContent)) continue
    // oxlint-disable-next-line no-await-in-loop -- the files have numbers in the order of the blocks
    parts.push(await toBlockText(block, shown))
  }
  return parts.join('\n')
}

/** Servers repeat the structured value as text, for clients that know only text. */
function isCopy(text: string, structuredContent: unknown): boolean {
  if (structuredContent === undefined) return false
  try {
    const parsed: unknown = JSON.parse(text)
    return JSON.stringify(parsed) === JSON.stringify(structuredContent)
  } catch {
    return false
  }
}

function toBlockText(block: Content, shown: Shown): string | Promise<string> {
  switch (block.type) {
    case 'text':
      return toSafeText(block.text)
    case 'image':
    case 'audio':
      return saveBinary(block.data, block.mimeType, block.type, shown)
    case 'resource_link': {
      const { title, name, description } = block
      const about = description === undefined ? '' : `: ${toSafeLine(description)}`
      return `Link to ${toSafeLine(title ?? name)} <${toSafeLine(block.uri, 2_000)}>${about}`
    }
    case 'resource':
      return toContentsText(block.resource, shown)
  }
}

async function toContentsText(
  contents: TextResourceContents | BlobResourceContents,
  shown: Shown,
): Promise<string> {
  const { uri, mimeType = 'application/octet-stream' } = contents
  const title = `Resource <${toSafeLine(uri, 2_000)}>`
  if ('text' in contents) return `${title}\n${toSafeText(contents.text)}`
  return `${title}\n${await saveBinary(contents.blob, mimeType, 'resource', shown)}`
}

async function saveBinary(
  data: string,
  mimeType: string,
  kind: string,
  { folder, name }: Shown,
): Promise<string> {
  const bytes = Buffer.from(data, 'base64')
  const file = await folder.save(bytes, `${name}-${kind}`, mimeType)
  const inline = process.stdout.isTTY ? toInlineImage(bytes, mimeType) : null
  const line = `Saved ${kind} (${toSafeLine(mimeType)}, ${bytes.length} bytes) as ${file}`
  return inline === null ? line : `${inline}\n${line}`
}
