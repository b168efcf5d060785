// Runs in workerd at build time, as do all folders of src/build; the files beside them run in Node.
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import {
  type Direction,
  type StandardSchema,
  isStandardSchema,
} from '../../schema/standard-schema.ts'
import { findHiddenTexts } from '../hidden.ts'
import { findBoundedPatterns } from '../schema/keyword-problems.ts'
import type { PrintOther } from '../../schema/to-json-schema.ts'
import type { Entry, EnvReads, Evaluated, EvaluationSettings } from '../evaluated.ts'
import type { BuildContext, Describe, Description, Subject } from '../kinds/describe.ts'
import { BuiltIns } from './built-ins.ts'
import { describeHandle, isHandle } from '../kinds/handle.ts'
import { describePrompt } from '../kinds/prompt.ts'
import { describeResource } from '../kinds/resource.ts'
import { describeTool, isTool } from '../kinds/tool.ts'

export interface ToolModule {
  readonly file: string
  readonly name: string
  readonly load: () => Promise<JsonObject>
}

export interface Evaluation extends EvaluationSettings {
  readonly modules: readonly ToolModule[]
  /** Returns what was read from `env` since the last time. */
  readonly takeReads: () => EnvReads
  /** The project's own `zod/v4/core`, if it has one. */
  readonly zod: ZodCore | null
}

/**
 * Loads every module and prints its entry or its problems, in lines of JSON. workerd refuses I/O while
 * a module is loaded, so a definition fails here exactly as it would fail in production.
 */
export async function evaluate({
  modules,
  limits,
  marker,
  takeReads,
  zod,
}: Evaluation): Promise<void> {
  const { log } = console
  const { stringify: quote } = JSON
  // on a line of its own, whatever a module has printed
  const printLine = (line: string): void => log(`\n${marker}${line}`)
  const print = (evaluated: Evaluated): void => printLine(quote(evaluated))
  refuseFetch()
  const builtIns = new BuiltIns()
  const loaded: LoadedModule[] = []
  const ends: LoadEnd[] = []
  // by index, and without printing: a module may have changed what both need
  for (let index = 0; index < modules.length; index += 1) {
    const module = modules[index]
    if (module === undefined) continue
    const { file, name, load } = module
    printLine(`{"kind":"begun","file":${quote(file)}}`)
    let thrown: LoadEnd['thrown'] = null
    try {
      // one at a time, so that the last 'begun' names a module that never ends
      // oxlint-disable-next-line no-await-in-loop
      loaded[loaded.length] = { file, name, exports: await load() }
    } catch (error) {
      thrown = { error }
    }
    ends[ends.length] = {
      file,
      thrown,
      env: takeReads(),
      changes: builtIns.findChanges(),
    }
  }
  const stuck = builtIns.restore()
  toLoadResults(ends).forEach(print)
  if (stuck.length > 0) {
    print({ kind: 'stuck', names: stuck })
    return
  }
  // after all are loaded: the description of a tool names the tool that creates its handles
  const context = toBuildContext(loaded, limits, createZodPrinter(zod))
  for (const module of loaded) {
    print({ kind: 'begun', file: module.file })
    print(tryDescribeModule(module, context))
  }
  print({ kind: 'done' })
}

/** How the loading of a module ended, and what it did meanwhile. */
interface LoadEnd {
  readonly file: string
  readonly thrown: { readonly error: unknown } | null
  readonly env: EnvReads
  /** What is no longer as JavaScript defines it. */
  readonly changes: readonly string[]
}

function toLoadResults(ends: readonly LoadEnd[]): readonly Evaluated[] {
  // a helper that fails is loaded once, and its error is thrown for each module that imports it
  const reads = new Map<unknown, EnvReads>()
  const known = new Set<string>()
  return ends.flatMap(({ file, thrown, env, changes }): Evaluated[] => {
    const names = changes.filter((name) => !known.has(name))
    for (const name of names) known.add(name)
    const changed: Evaluated[] = names.length === 0 ? [] : [{ kind: 'changed', file, names }]
    if (thrown === null) return changed
    const { error } = thrown
    if (!reads.has(error)) reads.set(error, env)
    const all = { ...readThrown(error), env: reads.get(error) ?? env }
    return [...changed, { kind: 'threw', file, ...all }]
  })
}

// outside a request workerd's fetch returns a rejected promise, and a module that does not await it
// would pass here and fail in production
function refuseFetch(): void {
  globalThis.fetch = () => {
    throw new Error('fetch is not allowed within global scope')
  }
}

/** Anything can be thrown, even what throws when it is read. */
function readThrown(thrown: unknown): { message: string; stack: string } {
  try {
    const { message, stack }: { message: unknown; stack?: unknown } =
      thrown instanceof Error ? thrown : { message: thrown }
    const text = String(message)
    return {
      message: text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text,
      stack: typeof stack === 'string' ? toFrames(stack) : '',
    }
  } catch {
    return { message: 'It threw a value that cannot be printed.', stack: '' }
  }
}

const maxMessage = 2000

/** Leaves out the message, which may be long, and may look like a frame. */
function toFrames(stack: string): string {
  const lines = stack.split('\n').filter((line) => line.startsWith('    at '))
  return lines.map((line) => line.slice(0, 500)).join('\n')
}

const kinds: ReadonlyMap<unknown, Describe> = new Map([
  ['tool', describeTool],
  ['resource', describeResource],
  ['prompt', describePrompt],
  ['handle', describeHandle],
])

interface LoadedModule {
  readonly file: string
  readonly name: string
  readonly exports: JsonObject
}

export function toBuildContext(
  modules: readonly LoadedModule[],
  limits: readonly string[],
  printOther: PrintOther,
): BuildContext {
  const all = modules.filter(isReadable).map(({ name, exports }) => ({
    name,
    exported: exports['default'],
  }))
  const tools = all.flatMap(({ name, exported }) => {
    if (!isTool(exported)) return []
    return { name: exported.definition.name ?? name, conceal: exported.definition.conceal }
  })
  return {
    tools: tools.map(({ name }) => name),
    creators: tools.filter(({ conceal }) => conceal !== true).map(({ name }) => name),
    handles: new Set(all.map(({ exported }) => exported).filter(isHandle)),
    limits,
    printOther,
  }
}

/** A default export may be a proxy that throws, such as a client of another service. */
function isReadable({ exports }: LoadedModule): boolean {
  try {
    const exported = exports['default']
    if (isTool(exported)) void [exported.definition.name, exported.definition.conceal]
    return true
  } catch {
    return false
  }
}

function tryDescribeModule(module: LoadedModule, context: BuildContext): Evaluated {
  try {
    return describeModule(module, context)
  } catch (error) {
    const why = `The default export cannot be read: ${readThrown(error).message}`
    return { kind: 'refused', file: module.file, problems: [why] }
  }
}

/** Decides whether a module is an entry of the registry, a helper of other modules, or refused. */
export function describeModule(
  { file, name, exports }: LoadedModule,
  context: BuildContext,
): Evaluated {
  const exported = exports['default']
  if (exported === undefined) return describeHelper(file, exports)
  const describe = isJsonObject(exported) ? kinds.get(exported['kind']) : undefined
  if (!isJsonObject(exported) || describe === undefined) {
    return { kind: 'refused', file, problems: [notCreatedByHelve] }
  }
  const description = tryDescribe(describe, { name, exported }, context)
  if ('problems' in description) return { kind: 'refused', file, problems: description.problems }
  const hidden = findHiddenMembers(description.members)
  if (hidden.length > 0) return { kind: 'refused', file, problems: hidden }
  const entry = {
    ...description,
    file,
    usesJsonSchema: usesJsonSchema(exported),
    ...readBoundedPatterns(description.members),
    ...readVisibleScopes(exported),
  }
  return { kind: 'entry', entry }
}

// such as caller?.scopes.includes('shop:write')
const lookedFor = /\bscopes\b[^;'"`]{0,80}?\.(?:includes|has|indexOf)\(\s*(["'`])([^"'`\\$]+)\1/g

function readVisibleScopes({ definition }: JsonObject): Pick<Entry, 'visibleScopes'> {
  const { visible }: JsonObject = Object(definition)
  if (typeof visible !== 'function') return {}
  const source = Function.prototype.toString.call(visible)
  return { visibleScopes: [...source.matchAll(lookedFor)].map(([, , scope = '']) => scope) }
}

/** Refuses texts with characters that the server would remove: a client would see another text. */
function findHiddenMembers({ listed, ...others }: JsonObject): readonly string[] {
  const seen: unknown = typeof listed === 'string' ? JSON.parse(listed) : listed
  const problems = [...findHiddenTexts(seen), ...findHiddenTexts(others)].map(
    ({ path, names }) =>
      `\`${path}\` has hidden characters, which people do not see and models obey: ` +
      `${names.join(', ')}. Remove them.`,
  )
  return [...new Set(problems)]
}

function readBoundedPatterns({ listed }: JsonObject): Pick<Entry, 'boundedPatterns'> {
  const { inputSchema }: JsonObject = typeof listed === 'string' ? JSON.parse(listed) : {}
  const boundedPatterns = isJsonObject(inputSchema) ? findBoundedPatterns(inputSchema) : []
  return boundedPatterns.length === 0 ? {} : { boundedPatterns }
}

function usesJsonSchema({ definition }: JsonObject): boolean {
  const { input, output, params, state }: JsonObject = Object(definition)
  return [input, output, params, state].some(
    (schema) => isJsonObject(schema) && !isStandardSchema(schema),
  )
}

const notCreatedByHelve =
  'The default export was not created by Helve (expected defineTool(...), defineResource(...), ' +
  'definePrompt(...) or defineHandle(...)).'

/** A schema that cannot be printed throws an error, whose message is a sentence for the author. */
function tryDescribe(describe: Describe, subject: Subject, context: BuildContext): Description {
  try {
    return describe(subject, context)
  } catch (error) {
    return { problems: [readThrown(error).message] }
  }
}

/** A module without a default export is a helper, unless it exports a definition by a name. */
function describeHelper(file: string, exports: JsonObject): Evaluated {
  const names = Object.keys(exports)
  const [hidden] = names.flatMap((name) => {
    const value = exports[name]
    return isJsonObject(value) && kinds.has(value['kind']) && 'definition' in value
      ? [
          `It exports a ${String(value['kind'])} as \`${name}\`, but only a default export is served.`,
        ]
      : []
  })
  if (hidden === undefined && names.length > 0) return { kind: 'helper', file }
  const why =
    hidden === undefined
      ? 'It exports nothing. Write `export default defineTool({ ... })`, or start the name of the file with "_".'
      : `${hidden} Write \`export default\` instead.`
  return { kind: 'refused', file, problems: [why] }
}

/** The part of `zod/v4/core` that the build uses: the project's copy, as Helve depends on no validator. */
export interface ZodCore {
  readonly toJSONSchema: (
    schema: StandardSchema,
    options: { readonly target: 'draft-2020-12'; readonly io: Direction },
  ) => Record<string, unknown>
}

/** Prints the schemas of zod/mini, which have no printer of their own. */
export function createZodPrinter(zod: ZodCore | null): PrintOther {
  return (schema, io) => {
    if (zod === null || schema['~standard'].vendor !== 'zod' || !('_zod' in schema)) return null
    return ({ target }) => zod.toJSONSchema(schema, { target, io })
  }
}
