/** What `helve new` writes. Each passes the build, the compiler and the linter as it is. */
export const newSources: Readonly<Record<SourceKind, (names: NewNames) => string>> = {
  tool: ({ title }) => `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  title: '${title}',
  description: 'Says what the tool does, and when a model should call it.',
  input: z.object({ text: z.string().describe('What a model should put here.') }),
  output: z.object({ length: z.int() }),
  run: ({ input }) => ({ length: input.text.length }),
})
`,
  resource: ({ title, name }) => `import { defineResource } from 'helve'

export default defineResource({
  uri: '${toScheme(name)}://all',
  title: '${title}',
  description: 'Says what is in the resource.',
  mime: 'text/plain',
  read: () => 'The contents.',
})
`,
  prompt: ({ title }) => `import { definePrompt } from 'helve'
import * as z from 'zod'

export default definePrompt({
  title: '${title}',
  description: 'Says what the prompt is for.',
  input: z.object({ topic: z.string().describe('What a user should write here.') }),
  messages: ({ input }) => \`Explain \${input.topic} in three sentences.\`,
})
`,
  handle: ({ name }) => `import { defineHandle } from 'helve'
import * as z from 'zod'

// tools name it in \`uses\`, or create it with \`create\`
export default defineHandle({
  name: '${toHandleName(name)}',
  prefix: '${toPrefix(name)}',
  idle: '24h',
  state: z.object({ texts: z.array(z.string()) }),
  start: () => ({ texts: [] }),
  verbs: {
    add: (state, text: string) => state.texts.push(text),
  },
})
`,
}

/** Returns the source of a test of the tool `name`; `worker` is the specifier of the main module. */
export function toTestSource(name: string, worker: string): string {
  return `import { connect } from 'helve/testing'
import { expect, test } from 'vitest'
import worker from '${worker}'

test('clients see ${name}', async () => {
  const client = connect(worker, { caller: 'ada' })
  const names = (await client.listTools()).map((tool) => tool.name)
  expect(names).toContain('${name}')
})
`
}

type SourceKind = 'tool' | 'resource' | 'prompt' | 'handle'

export interface NewNames {
  /** The name by which clients know it. */
  readonly name: string
  /** The name for people. */
  readonly title: string
}

/** Converts a path under `tools/`, without its extension, to a name for people: `Refund`. */
export function toTitle(path: string): string {
  const words =
    path
      .split('/')
      .at(-1)
      ?.replaceAll(/[_.-]+/g, ' ')
      .trim() ?? ''
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Converts a name to the scheme of a URI, which begins with a letter and has no "_". */
function toScheme(name: string): string {
  const scheme = name.toLowerCase().replaceAll('_', '-')
  return /^[a-z]/.test(scheme) ? scheme : `x-${scheme}`
}

/** Converts a name to that of a kind of handle: a letter, and at most 31 letters, digits, "_" and "-". */
function toHandleName(name: string): string {
  const text = name.replaceAll('.', '_')
  return (/^[a-z]/i.test(text) ? text : `h_${text}`).slice(0, 32)
}

/** Converts a name to the prefix of ids: 2 to 8 small letters and digits. */
function toPrefix(name: string): string {
  const letters = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .replace(/^\d+/, '')
  return letters.length < 2 ? `id${letters}` : letters.slice(0, 8)
}
