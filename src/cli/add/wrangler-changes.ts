import { basename, dirname, extname, join } from 'node:path'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { type WranglerConfig, readWranglerConfig } from '../../build/wrangler-config.ts'
import { readWranglerFile } from '../../build/wrangler-file.ts'
import { type Project, toRelative } from '../../build/project.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type JsonEdit, editJson } from './json-edits.ts'
import { type Plan, editLines, joinPlans, nothing, toAdvice, toPlan } from './plan.ts'

/** A section that the configuration of wrangler needs, in each of its formats. */
interface Section {
  readonly toml: string
  readonly json: readonly JsonEdit[]
  /** Why it is needed, where it must be added by hand. */
  readonly why: string
  /** Whether there is something of this kind already, which is left alone. */
  readonly isTaken: boolean
}

/** The file of wrangler's configuration, as it is. */
export interface ReadConfig {
  readonly raw: JsonObject
  readonly config: WranglerConfig
}

/** @throws {CliError} if the configuration cannot be read. */
export async function readConfig(project: Project): Promise<ReadConfig> {
  const raw = await readWranglerFile(project.config, project.out)
  return { raw, config: readWranglerConfig(raw) }
}

/** Plans what the configuration of wrangler lacks. */
export async function planWrangler(project: Project, read: ReadConfig): Promise<Plan> {
  const { config: path } = project
  const sections = findMissing(project, read)
  const open = sections.filter(({ isTaken }) => !isTaken)
  const before = await readFile(path, 'utf8')
  const after =
    extname(path) === '.toml'
      ? editToml(before, open)
      : editJson(
          before,
          open.flatMap(({ json }) => json),
        )
  const isSafe = open.length === 0 || (await meansTheSame(path, read.raw, after, open))
  const byHand = sections.filter(({ isTaken }) => isTaken || !isSafe)
  return joinPlans([
    isSafe ? toPlan({ file: toRelative(project.root, path), before, after }) : nothing,
    ...byHand.map((section) =>
      toAdvice(`${basename(path)}: ${section.why}`, toLines(path, section)),
    ),
    planEnvironments(path, read.raw),
  ])
}

function findMissing(project: Project, { raw, config }: ReadConfig): readonly Section[] {
  const { undeclaredClasses, newTag, cachesListings, cachesDefault, bindings, main } = config
  const sections: Section[] = []
  if (undeclaredClasses.length > 0) {
    const names = undeclaredClasses.map((name) => JSON.stringify(name)).join(', ')
    sections.push({
      toml: `# handles, notifications, and questions to older clients of the MCP server\n[[migrations]]\ntag = "${newTag}"\nnew_sqlite_classes = [${names}]`,
      json: [
        {
          path: ['migrations'],
          isElement: true,
          value: { tag: newTag, new_sqlite_classes: undeclaredClasses },
        },
      ],
      why: 'the classes of the MCP server need storage. Add:',
      isTaken: false,
    })
  }
  if (cachesListings !== true || cachesDefault !== false) {
    const entrypoints = {
      default: { type: 'worker', cache: { enabled: false } },
      Listings: { type: 'worker', cache: { enabled: true } },
    }
    sections.push({
      toml: `# the edge caches results in front of the entrypoint Listings, and nothing else\n[cache]\nenabled = true\n\n[exports.default]\ntype = "worker"\ncache = { enabled = false }\n\n[exports.Listings]\ntype = "worker"\ncache = { enabled = true }`,
      json: [
        { path: ['cache'], value: { enabled: true } },
        { path: ['exports'], value: entrypoints },
      ],
      why: 'it has settings of [cache] or [exports] of its own. So that the edge caches results, they should be:',
      isTaken: 'cache' in raw || 'exports' in raw,
    })
  }
  const build = isJsonObject(raw['build']) ? raw['build'] : {}
  const command = typeof build['command'] === 'string' ? build['command'] : ''
  if (!command.includes('helve build') && !command.includes('helve.js build')) {
    const folder = dirname(main ?? 'src/index.ts')
    const folders = [...(folder === '.' ? [] : [folder]), toRelative(project.root, project.tools)]
    const own = toBuildCommand(project)
    const all = command === '' ? own : `${command} && ${own}`
    sections.push({
      toml: `# writes .helve/registry.ts, which must not be in a watched folder\n[build]\ncommand = ${JSON.stringify(all)}\nwatch_dir = [${folders.map((name) => JSON.stringify(name)).join(', ')}]`,
      json: [{ path: ['build'], value: { command: all, watch_dir: folders } }],
      why: 'it has a [build] of its own. Let its command run `helve build` as well, and watch the tools:',
      isTaken: 'build' in raw,
    })
  }
  if (Object.keys(bindings.limits).length === 0) {
    sections.push({
      toml: `# each caller of the MCP server may send 100 requests a minute\n[[ratelimits]]\nname = "CALLS"\nnamespace_id = "1001"\nsimple = { limit = 100, period = 60 }`,
      json: [
        {
          path: ['ratelimits'],
          isElement: true,
          value: { name: 'CALLS', namespace_id: '1001', simple: { limit: 100, period: 60 } },
        },
      ],
      why: 'servers must limit how often tools are called. Add:',
      isTaken: false,
    })
  }
  return sections
}

/** The build command, with the folders that are not the usual ones. */
function toBuildCommand({ root, tools, out }: Project): string {
  const given = [
    { option: 'tools', folder: toRelative(root, tools), usual: 'tools' },
    { option: 'out', folder: toRelative(root, out), usual: '.helve' },
  ].filter(({ folder, usual }) => folder !== usual)
  return ['npx helve build', ...given.map(({ option, folder }) => `--${option} ${folder}`)].join(
    ' ',
  )
}

/** Bindings are not inherited by environments. */
function planEnvironments(path: string, { env }: JsonObject): Plan {
  const environments = Object.entries(isJsonObject(env) ? env : {})
  const names = environments
    .filter(([, own]) => isJsonObject(own) && !('ratelimits' in own))
    .map(([name]) => name)
  if (names.length === 0) return nothing
  return toAdvice(
    `${basename(path)}: an environment does not inherit bindings. Without the rate limit its requests fail. Add:`,
    names
      .map(
        (name) =>
          `[[env.${name}.ratelimits]]\nname = "CALLS"\nnamespace_id = "1001"\nsimple = { limit = 100, period = 60 }`,
      )
      .join('\n\n'),
  )
}

/** Tables may stand at the end of a file, whatever is in it. */
function editToml(text: string, sections: readonly Section[]): string {
  return editLines(text, (lines) => {
    const start = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
    return sections.reduce((all, { toml }) => `${all}\n${toml}\n`, start)
  })
}

/** Whether wrangler reads the edited text as what was there, with what was added, and nothing else. */
async function meansTheSame(
  path: string,
  raw: JsonObject,
  text: string,
  sections: readonly Section[],
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-add-'))
  try {
    const copy = join(folder, basename(path))
    await writeFile(copy, text)
    const read = await readWranglerFile(copy, folder)
    return isDeepStrictEqual(
      read,
      withEdits(
        raw,
        sections.flatMap(({ json }) => json),
      ),
    )
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withEdits(raw: JsonObject, edits: readonly JsonEdit[]): JsonObject {
  const expected: Record<string, unknown> = structuredClone({ ...raw })
  for (const { path, value, isElement } of edits) {
    const [key = ''] = path
    const list = expected[key]
    expected[key] = isElement === true ? [...(Array.isArray(list) ? list : []), value] : value
  }
  return expected
}

function toLines(path: string, { toml, json }: Section): string {
  if (extname(path) === '.toml') return toml
  return json
    .map(({ path: [key], value, isElement }) => {
      const text = JSON.stringify(isElement === true ? [value] : value, null, 2)
      return `${JSON.stringify(key)}: ${text},`
    })
    .join('\n')
}
