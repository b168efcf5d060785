import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { findBuildProblems } from './build-command.ts'
import type { CheckContext } from './check-context.ts'
import { type Environment, readTables, toEnvironmentText } from './environments.ts'
import { type CheckOutcome, type Finding, findingsOf } from './finding.ts'
import { findUnignored } from './ignored-files.ts'

/**
 * Compares wrangler's configuration with what the tools need, in each environment. The build checks
 * the environment that it builds for; a deploy to another one would fail at its first request.
 */
export async function checkConfig(context: CheckContext): Promise<CheckOutcome> {
  const found = await Promise.all(configChecks.map(async (check) => check(context)))
  return { findings: found.flat() }
}

type ConfigCheck = (context: CheckContext) => readonly Finding[] | Promise<readonly Finding[]>

/** Each knows one section of the configuration. */
const configChecks: readonly ConfigCheck[] = [
  checkBuild,
  checkLimits,
  checkMigrations,
  checkCaching,
  checkIgnored,
]

async function checkBuild(context: CheckContext): Promise<readonly Finding[]> {
  const create = findingsOf('config', context.configFile)
  const problems = await findBuildProblems(context)
  return problems.map(({ code, message }) => create(code, message))
}

async function checkIgnored(context: CheckContext): Promise<readonly Finding[]> {
  const lines = await findUnignored(context)
  if (lines.length === 0) return []
  const message = `git does not ignore ${lines.join(' and ')}: commands write it, or it has secrets. Add a line for each to .gitignore.`
  return [findingsOf('config', '.gitignore')('not-ignored', message)]
}

/** Bindings are not inherited: an environment has its own. */
function checkLimits({ result, main, environments, configFile }: CheckContext): readonly Finding[] {
  const create = findingsOf('config', configFile)
  const entries = result.kind === 'good' ? result.entries : []
  const counted = Map.groupBy(entries, ({ limit }) => limit)
  const users = new Map(
    [...counted].flatMap(([limit, all]) =>
      limit === undefined ? [] : [[limit, all.map(({ file }) => file)] as const],
    ),
  )
  for (const { sources } of main?.options ?? []) {
    const limit = /^["']([^"'\\]+)["']$/.exec(sources.get('limit') ?? '')?.[1]
    if (limit !== undefined) users.set(limit, ['createWorker', ...(users.get(limit) ?? [])])
  }
  return environments
    .filter(({ name }) => name !== null)
    .flatMap((environment) => {
      const names = new Set(readTables(environment.own['ratelimits']).map(({ name }) => name))
      return [...users]
        .filter(([limit]) => !names.has(limit))
        .map(([limit, files]) =>
          create(
            'missing-limit',
            `In ${toEnvironmentText(environment)} of ${configFile} no [[ratelimits]] binding has the name "${limit}", ` +
              `which ${files.join(', ')} needs: environments do not inherit bindings, and a Worker deployed there ` +
              `fails. Add [[env.${environment.name}.ratelimits]] with name = "${limit}", a namespace_id of its ` +
              'own, and simple = { limit, period }.',
            { severity: 'error' },
          ),
        )
    })
}

/** An environment inherits migrations unless it has its own, which then must declare the classes too. */
function checkMigrations({ environments, sources, configFile }: CheckContext): readonly Finding[] {
  const create = findingsOf('config', configFile)
  return environments.filter(hasOwnMigrations).flatMap((environment) => {
    const missing = findUndeclared(environment.own, sources.config.declaredClasses)
    if (missing.length === 0) return []
    return [
      create(
        'missing-class',
        `${toSentenceStart(environment)} of ${configFile} has migrations of its own, which do not declare ` +
          `${missing.join(' and ')}, as those of the top level do. Add them under a new tag to ` +
          `[[env.${environment.name}.migrations]].`,
        { severity: 'error' },
      ),
    ]
  })
}

export function hasOwnMigrations({ name, own }: Environment): boolean {
  return name !== null && own['migrations'] !== undefined
}

/** The classes of Helve that the top level declares, and the migrations of an environment do not. */
export function findUndeclared(
  { migrations }: JsonObject,
  declared: readonly string[],
): readonly string[] {
  const classes = readTables(migrations).flatMap((migration) => [
    ...(Array.isArray(migration['new_sqlite_classes']) ? migration['new_sqlite_classes'] : []),
    ...readTables(migration['renamed_classes']).map(({ to }) => to),
    ...readTables(migration['transferred_classes']).map(({ to }) => to),
  ])
  const created = new Set(classes)
  return declared.filter((name) => !created.has(name))
}

/** What an environment says about Workers Cache replaces what the top level says. */
function checkCaching({ environments, configFile }: CheckContext): readonly Finding[] {
  const create = findingsOf('config', configFile)
  const [top, ...others] = environments
  if (top === undefined || readsCache(top, 'Listings') !== true) return []
  return others
    .filter((environment) => readsCache(environment, 'Listings') !== true)
    .map((environment) =>
      create(
        'no-cache',
        `${toSentenceStart(environment)} of ${configFile} has its own \`cache\` or \`exports\`, which do not ` +
          'enable Workers Cache for the entrypoint Listings, as those of the top level do: there nothing is ' +
          `cached at the edge. Add [env.${environment.name}.exports.Listings] with type = "worker" and ` +
          'cache = { enabled = true }.',
      ),
    )
}

function readsCache({ settings }: Environment, entrypoint: string): boolean | null {
  const { cache, exports } = settings
  const one = isJsonObject(exports) ? exports[entrypoint] : undefined
  const own = isJsonObject(one) ? readEnabled(one['cache']) : null
  return own ?? readEnabled(cache)
}

function readEnabled(cache: unknown): boolean | null {
  return isJsonObject(cache) && typeof cache['enabled'] === 'boolean' ? cache['enabled'] : null
}

function toSentenceStart(environment: Environment): string {
  const text = toEnvironmentText(environment)
  return text[0]?.toUpperCase() + text.slice(1)
}
