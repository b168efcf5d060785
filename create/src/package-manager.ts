import process from 'node:process'

const names = ['npm', 'pnpm', 'yarn', 'bun'] as const

type ManagerName = (typeof names)[number]

/** The package manager that started this program, and how its commands are written. */
export interface PackageManager {
  readonly name: ManagerName
  /** Runs a script of package.json, such as `npm run dev`. */
  readonly run: (script: string) => string
  /** Runs a command of an installed package. */
  readonly exec: (command: string) => string
}

/** Finds the package manager by the variable that all of them set, such as `pnpm/10.1.0 node/v22`. */
export function findPackageManager(
  agent: string = process.env['npm_config_user_agent'] ?? '',
): PackageManager {
  const [called = ''] = agent.split('/')
  const name = names.find((each) => each === called) ?? 'npm'
  const execs = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }
  return {
    name,
    run: (script) => (name === 'npm' && script === 'test' ? 'npm test' : `${name} run ${script}`),
    exec: (command) => `${execs[name]} ${command}`,
  }
}
