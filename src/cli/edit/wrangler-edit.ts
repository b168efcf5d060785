import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseWithWrangler } from '../../build/wrangler-file.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { appendToJsonc, setInJsonc } from './jsonc-edit.ts'
import { appendToToml, setInToml } from './toml-edit.ts'

/** A change of wrangler's configuration, by the path from its root: `['build', 'command']`. */
export type WranglerEdit =
  | { readonly kind: 'set'; readonly path: readonly string[]; readonly value: unknown }
  /** Adds an element to a list of tables, which it creates if it is missing. */
  | { readonly kind: 'append'; readonly path: readonly string[]; readonly value: JsonObject }

/**
 * Edits the text of wrangler.toml, wrangler.json or wrangler.jsonc, and keeps its comments and its format.
 *
 * @param path says which format it is.
 * @returns the new text; `null` if the text has no safe place for an edit, which is then for a person to make.
 */
export async function editWranglerConfig(
  path: string,
  text: string,
  edits: readonly WranglerEdit[],
): Promise<string | null> {
  const edited = editWranglerText(path, text, edits)
  if (edited === null) return null
  // an edit of text is safe only if wrangler reads exactly what was meant
  const [before, after] = await Promise.all([readText(path, text), readText(path, edited)])
  if (before === null || after === null) return null
  return isDeepStrictEqual(after, edits.reduce(applyEdit, before)) ? edited : null
}

/** The edit without the check that wrangler reads what was meant. */
export function editWranglerText(
  path: string,
  text: string,
  edits: readonly WranglerEdit[],
): string | null {
  return edits.reduce<string | null>((current, edit) => {
    if (current === null) return null
    return path.endsWith('.toml') ? editToml(current, edit) : editJson(current, edit)
  }, text)
}

function editToml(text: string, edit: WranglerEdit): string | null {
  return edit.kind === 'set'
    ? setInToml(text, edit.path, edit.value)
    : appendToToml(text, edit.path, edit.value)
}

function editJson(text: string, edit: WranglerEdit): string | null {
  return edit.kind === 'set'
    ? setInJsonc(text, edit.path, edit.value)
    : appendToJsonc(text, edit.path, edit.value)
}

async function readText(path: string, text: string): Promise<JsonObject | null> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-'))
  const file = join(folder, basename(path))
  try {
    await writeFile(file, text)
    return await parseWithWrangler(file)
  } catch {
    return null
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Makes the same change in the value that the text stands for. */
function applyEdit(config: JsonObject, edit: WranglerEdit): JsonObject {
  const [key = '', ...rest] = edit.path
  const inner = config[key]
  if (rest.length > 0) {
    const table = isJsonObject(inner) ? inner : {}
    return { ...config, [key]: applyEdit(table, { ...edit, path: rest }) }
  }
  if (edit.kind === 'set') return { ...config, [key]: edit.value }
  return { ...config, [key]: [...(Array.isArray(inner) ? inner : []), edit.value] }
}
