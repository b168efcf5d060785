import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Saves what a server sent as binary data. */
export interface MediaFolder {
  /** Saves bytes under a name that is free, and returns the path. */
  readonly save: (bytes: Uint8Array, name: string, mimeType: string) => Promise<string>
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
])

/**
 * Saves files in a folder, by default in a new one for temporary files. No file is replaced, and the server
 * decides neither the folder nor the kind of the file: a name keeps only letters, digits, `-` and `_`.
 */
export function createMediaFolder(given: string | undefined): MediaFolder {
  let made: Promise<string> | null = null
  const make = async (): Promise<string> => {
    if (given === undefined) return mkdtemp(join(tmpdir(), 'helve-'))
    await mkdir(given, { recursive: true })
    return given
  }
  return {
    async save(bytes, name, mimeType) {
      made ??= make()
      const folder = await made
      const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
      return writeNew(folder, toSafeName(name), extensions.get(type) ?? 'bin', bytes)
    },
  }
}

function toSafeName(name: string): string {
  const clean = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return clean.slice(0, 60) || 'file'
}

async function writeNew(
  folder: string,
  name: string,
  extension: string,
  bytes: Uint8Array,
  count = 1,
): Promise<string> {
  const file = join(folder, `${name}${count === 1 ? '' : `-${count}`}.${extension}`)
  try {
    // fails if there is a file, or a link to one
    await writeFile(file, bytes, { flag: 'wx' })
    return file
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!exists || count === 1_000) throw error
    return writeNew(folder, name, extension, bytes, count + 1)
  }
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Returns the escape sequence that shows an image in the terminal; `null` for one that cannot. It has only Base64 of
 * the bytes, never a text of the server.
 */
export function toInlineImage(
  bytes: Uint8Array,
  mimeType: string,
  env: Variables = process.env,
): string | null {
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL, KITTY_WINDOW_ID, TMUX } = env
  // a multiplexer passes such sequences on only if it is told to
  if (TMUX !== undefined || TERM.startsWith('screen') || !mimeType.startsWith('image/')) return null
  const data = Buffer.from(bytes).toString('base64')
  if (/^(?:iTerm\.app|WezTerm)$/.test(TERM_PROGRAM) || LC_TERMINAL === 'iTerm2') {
    return `\u001B]1337;File=inline=1;size=${bytes.length}:${data}\u0007`
  }
  const isKitty =
    KITTY_WINDOW_ID !== undefined || TERM === 'xterm-kitty' || TERM === 'xterm-ghostty'
  // kitty decodes PNG alone
  return isKitty && mimeType === 'image/png' ? toKitty(data) : null
}

function toKitty(data: string): string {
  const chunks = data.match(/.{1,4096}/gs) ?? []
  return chunks
    .map((chunk, at) => {
      const first = at === 0 ? 'a=T,f=100,' : ''
      return `\u001B_G${first}m=${at === chunks.length - 1 ? 0 : 1};${chunk}\u001B\\`
    })
    .join('')
}
