import type { GuardedCaller, GuardedReply } from './guarded.ts'

/** Something that is there as a tool, as a template with one resource, and as a prompt. */
export interface Thing {
  readonly name: string
  /** What it needs, all of it. */
  readonly scopes: readonly string[]
  readonly conceal?: true
}

/** The things of test/guarded that stand for all others. */
export const things: readonly Thing[] = [
  { name: 'open', scopes: [] },
  { name: 'needs_a', scopes: ['a'] },
  { name: 'needs_b', scopes: ['b'] },
  { name: 'needs_a_and_b', scopes: ['a', 'b'] },
  { name: 'concealed', scopes: ['admin'], conceal: true },
]

/** What a caller was granted, and what that allows. Without a grant there is no token either. */
export interface Grant {
  readonly scopes: string | null
  readonly may: readonly string[]
}

export const grants: readonly Grant[] = [
  { scopes: null, may: [] },
  { scopes: '', may: [] },
  { scopes: 'a', may: ['a'] },
  { scopes: 'b', may: ['b'] },
  { scopes: 'a b', may: ['a', 'b'] },
  { scopes: 'b unheard-of a', may: ['a', 'b'] },
  { scopes: 'admin', may: ['a', 'admin', 'b'] },
  { scopes: 'constructor A a,b', may: [] },
]

/** How a request for a thing must end. */
export function toExpected({ scopes, conceal }: Thing, grant: Grant): string {
  if (scopes.every((scope) => grant.may.includes(scope))) return 'done'
  if (conceal) return 'unknown'
  return grant.scopes === null ? `401, asks for ${scopes.join(' ')}` : `403 ${scopes.join(' ')}`
}

/** How a request for a thing did end. */
export function toEnd({ status, challenge, text, body }: GuardedReply): string {
  const [, scope = ''] = / scope="([^"]*)"/.exec(challenge) ?? []
  if (status === 401) return `401, asks for ${scope}`
  if (status === 403 && challenge.includes('error="insufficient_scope"')) return `403 ${scope}`
  if (body.error?.code === -32602) return 'unknown'
  return body.result !== undefined && body.result.isError !== true ? 'done' : text
}

const word = { argument: { name: 'word', value: 'he' } }

/** Every way to use a thing by its name. */
export const uses: Readonly<
  Record<string, (who: GuardedCaller, name: string) => Promise<GuardedReply>>
> = {
  'tools/call': (who, name) => who.call(`tool_${name}`),
  'resources/read': (who, name) => who.ask('resources/read', { uri: toUri(name) }),
  'prompts/get': (who, name) =>
    who.ask('prompts/get', { name: `prompt_${name}`, arguments: { word: 'hello' } }),
  'completion/complete of a prompt': (who, name) =>
    who.ask('completion/complete', {
      ref: { type: 'ref/prompt', name: `prompt_${name}` },
      ...word,
    }),
  'completion/complete of a template': (who, name) => {
    const ref = { type: 'ref/resource', uri: `guarded://${name}/{word}` }
    return who.ask('completion/complete', { ref, ...word })
  },
}

/** The way to use what a list shows, by the list. */
export const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools/call',
  'resources/list': 'resources/read',
  'resources/templates/list': 'completion/complete of a template',
  'prompts/list': 'prompts/get',
}

/** The things in a list, as somebody sees it. */
export async function listThings(who: GuardedCaller, list: string): Promise<readonly string[]> {
  const { body, text } = await who.ask(list)
  if (body.result?.cacheScope !== 'private') throw new Error(`This is no private list: ${text}`)
  const listed = JSON.stringify(body.result)
  return things.map(({ name }) => name).filter((name) => hasThing(listed, name))
}

function hasThing(listed: string, name: string): boolean {
  return [`"tool_${name}"`, `"prompt_${name}"`, `"guarded://${name}/`].some((part) =>
    listed.includes(part),
  )
}

export function toUri(name: string): string {
  return `guarded://${name}/hello`
}
