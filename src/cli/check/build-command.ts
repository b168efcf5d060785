import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toRelative } from '../../build/project.ts'
import { type JsonObject, isJsonObject, isTextList } from '../../protocol/json.ts'
import type { WranglerEdit } from '../edit/wrangler-edit.ts'
import type { CheckContext } from './check-context.ts'

/** What is wrong with a section of the configuration, and the edits that mend it, if any do. */
export interface ConfigProblem {
  readonly code: string
  readonly message: string
  readonly edits: readonly WranglerEdit[]
}

/** Checks that wrangler builds the registry before it bundles, and again after each change of a tool. */
export async function findBuildProblems(context: CheckContext): Promise<readonly ConfigProblem[]> {
  const { config, configFile, main, project, sources } = context
  if (main === null || sources.tools.length === 0) return []
  const build = isJsonObject(config['build']) ? config['build'] : {}
  const folder = dirname(project.config)
  const tools = toRelative(folder, project.tools)
  const needed = toWatched(toRelative(folder, join(project.root, main.file)), tools)
  const { command } = build
  if (typeof command !== 'string') {
    const message =
      `${configFile} has no [build] command, so wrangler bundles the registry as it is, or none. Add [build] ` +
      `with command = "npx helve build" and watch_dir = ${JSON.stringify(needed)}.`
    const values = { command: 'npx helve build', watch_dir: needed }
    return [{ code: 'no-build-command', message, edits: toEdits(values) }]
  }
  if (!(await runsHelve(command, project.root))) {
    const message =
      `The [build] command of ${configFile} is "${command}", which does not seem to run \`helve build\`. ` +
      'Add it to the command: without it changes of tools have no effect.'
    return [{ code: 'no-build-command', message, edits: [] }]
  }
  if (build['cwd'] !== undefined) return []
  const watched = toWatchedFolders(build)
  if (watched.some((path) => isWithin(tools, path))) return []
  const isSet = build['watch_dir'] !== undefined
  const value = isSet ? [...watched, tools] : needed
  const message =
    `wrangler does not watch ${tools}/, since watch_dir of [build] in ${configFile} is ` +
    `${isSet ? JSON.stringify(build['watch_dir']) : 'missing, and then it is src'}. Set watch_dir = ` +
    `${JSON.stringify(value)}, so that \`wrangler dev\` sees changes of tools.`
  return [{ code: 'unwatched-tools', message, edits: toEdits({ watch_dir: value }) }]
}

function toEdits(values: JsonObject): readonly WranglerEdit[] {
  return Object.entries(values).map(([key, value]) => ({
    kind: 'set',
    path: ['build', key],
    value,
  }))
}

/** The folder of the main module, and the tools; never the folder of the registry, which the build writes. */
function toWatched(main: string, tools: string): readonly string[] {
  const folder = dirname(main)
  const source = folder === '.' ? main : folder
  return isWithin(tools, source) ? [source] : [source, tools]
}

function toWatchedFolders({ watch_dir: watched = './src' }: JsonObject): readonly string[] {
  return (isTextList(watched) ? watched : [String(watched)]).map((path) =>
    path.replace(/^\.\//, '').replace(/\/$/, ''),
  )
}

function isWithin(path: string, folder: string): boolean {
  return folder === '.' || folder === '' || `${path}/`.startsWith(`${folder}/`)
}

/** Whether a command runs `helve build`, or scripts of package.json that do. */
async function runsHelve(command: string, root: string, depth = 0): Promise<boolean> {
  if (/\bhelve\b[^&|;]*\bbuild\b/.test(command)) return true
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}')
  const { scripts } = toManifest(text)
  const [, name] =
    /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-s\s+|--silent\s+)?([\w:-]+)/.exec(command) ?? []
  const script = isJsonObject(scripts) && name !== undefined ? scripts[name] : undefined
  return typeof script === 'string' && depth < 3 ? runsHelve(script, root, depth + 1) : false
}

function toManifest(text: string): JsonObject {
  try {
    const manifest: unknown = JSON.parse(text)
    return isJsonObject(manifest) ? manifest : {}
  } catch {
    return {}
  }
}
