import { type CreatorOf, type HandleKind, findCreator } from '../../src/define/handle-kind.ts'
import type { Prompt } from '../../src/define/prompt.ts'
import type { Resource } from '../../src/define/resource.ts'
import type { Tool } from '../../src/define/tool.ts'
import type { Registry, ToolEntry } from '../../src/define/registry.ts'
import { toPromptEntry } from '../../src/build/entries/prompt-entry.ts'
import { toResourceEntry } from '../../src/build/entries/resource-entry.ts'
import { toToolEntry as toEntry } from '../../src/build/entries/tool-entry.ts'
// as the build writes it where a definition has a plain JSON Schema
import '../../src/schema/json-schema/register.ts'

/** What a module may export; the key in the record stands for the name of its file. */
export type Made = Tool | Resource | Prompt | HandleKind

/** The registry that the build would write for modules that export these. */
export function toRegistry(made: Readonly<Record<string, Made>>): Registry {
  const all = Object.entries(made)
  const names = all.flatMap(([name, { kind }]) => (kind === 'tool' ? [name] : []))
  const creatorOf: CreatorOf = (kind) => findCreator(kind, names)
  return {
    digest: 'test',
    code: 'test',
    bindings: { vars: [], limits: {}, versionMetadata: 'VERSION' },
    tools: all.flatMap(([name, one]) =>
      one.kind === 'tool' ? [toToolEntry(name, one, creatorOf)] : [],
    ),
    resources: all.flatMap(([name, one]) =>
      one.kind === 'resource' ? [{ ...toResourceEntry(name, one), load: loaderOf(one) }] : [],
    ),
    prompts: all.flatMap(([name, one]) =>
      one.kind === 'prompt' ? [{ ...toPromptEntry(name, one), load: loaderOf(one) }] : [],
    ),
    handles: all.flatMap(([, one]) =>
      one.kind === 'handle' ? [{ name: one.name, load: loaderOf(one) }] : [],
    ),
  }
}

function toToolEntry(name: string, tool: Tool, creatorOf: CreatorOf): ToolEntry {
  return { ...toEntry(name, tool, { creatorOf }).entry, load: loaderOf(tool) }
}

function loaderOf<Kind>(made: Kind): () => Promise<{ readonly default: Kind }> {
  return () => Promise.resolve({ default: made })
}
