import { definePrompt, defineResource, defineTool } from 'helve'
import * as z from 'zod'

/** Who may use a thing. */
interface Scoped {
  readonly scopes?: readonly string[]
  readonly conceal?: boolean
}

/** Makes a tool that only says that it was reached. */
export function defineScopedTool(scoped: Scoped): ReturnType<typeof defineTool> {
  return defineTool({
    ...scoped,
    description: `Says hello. ${toNeed(scoped)}`,
    hints: { readOnly: true },
    run: () => 'hello',
  })
}

/** Makes a template whose one variable can be completed. */
export function defineScopedResource(
  name: string,
  scoped: Scoped,
): ReturnType<typeof defineResource> {
  return defineResource({
    ...scoped,
    uri: `guarded://${name}/{word}`,
    description: `A text. ${toNeed(scoped)}`,
    mime: 'text/plain',
    list: () => ({ resources: [{ uri: `guarded://${name}/hello`, name: `${name}-hello` }] }),
    params: z.object({ word: z.enum(['hello', 'goodbye']) }),
    read: ({ params }) => params.word,
  })
}

/** Makes a prompt whose one argument can be completed. */
export function defineScopedPrompt(scoped: Scoped): ReturnType<typeof definePrompt> {
  return definePrompt({
    ...scoped,
    description: `Says a word. ${toNeed(scoped)}`,
    input: z.object({ word: z.enum(['hello', 'goodbye']) }),
    messages: ({ input }) => input.word,
  })
}

function toNeed({ scopes = [] }: Scoped): string {
  return scopes.length === 0 ? 'Everybody may.' : `Needs ${scopes.join(' and ')}.`
}
