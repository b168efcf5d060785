import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { readTexts } from './texts.ts'

/** What a client asks to have completed (server/utilities/completion, "CompleteRequest"). */
export interface CompletionParams {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string }
  readonly argument: string
  readonly value: string
  readonly chosen: Readonly<Record<string, string>>
}

export type CompletionParamsRead =
  | { readonly ok: true; readonly params: CompletionParams }
  | { readonly ok: false; readonly why: string }

/** Reads the parameters of `completion/complete`. */
export function readCompletionParams({
  ref,
  argument,
  context = {},
}: JsonObject): CompletionParamsRead {
  const target = readReference(ref)
  if (target === null) {
    const prompt = '{ "type": "ref/prompt", "name" }'
    return wrong(`params.ref must be ${prompt} or { "type": "ref/resource", "uri" }.`)
  }
  const { name, value } = isJsonObject(argument) ? argument : {}
  if (typeof name !== 'string' || typeof value !== 'string') {
    return wrong('params.argument must be { "name", "value" }, both strings.')
  }
  const { arguments: given = {} } = isJsonObject(context) ? context : { arguments: null }
  const chosen = readTexts(given)
  if (chosen === null) {
    return wrong('params.context.arguments must be an object whose values are strings.')
  }
  return { ok: true, params: { ref: target, argument: name, value, chosen } }
}

function readReference(ref: unknown): CompletionParams['ref'] | null {
  if (!isJsonObject(ref)) return null
  const { type, name, uri } = ref
  if (type === 'ref/prompt' && typeof name === 'string') return { type, name }
  return type === 'ref/resource' && typeof uri === 'string' ? { type, uri } : null
}

function wrong(why: string): CompletionParamsRead {
  return { ok: false, why }
}
