import { isJsonObject, type JsonObject } from '../wire/json.ts'

const needed = ['Handles', 'Hub']

/**
 * Tells which of Helve's Durable Object classes wrangler.toml makes no storage for. Nothing else does
 * so before the first question or handle fails: wrangler starts such a Worker without a word.
 */
export function findUndeclaredClasses({ migrations }: JsonObject): readonly string[] {
  const declared = new Set((Array.isArray(migrations) ? migrations : []).flatMap(readClasses))
  return needed.filter((name) => !declared.has(name))
}

// not `new_classes`, whose storage is another one, in which handles cannot be kept
function readClasses(migration: unknown): readonly unknown[] {
  if (!isJsonObject(migration)) return []
  const { new_sqlite_classes: made, renamed_classes: renamed } = migration
  const { transferred_classes: transferred } = migration
  const moved = [renamed, transferred].flatMap((list) => (Array.isArray(list) ? list : []))
  return [
    ...(Array.isArray(made) ? made : []),
    ...moved.map((move) => (isJsonObject(move) ? move['to'] : null)),
  ]
}
