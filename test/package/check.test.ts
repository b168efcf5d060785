import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createInstalledProject } from './installed-project.ts'

/** As `npm create cloudflare` sets up a project, to which somebody has added Helve by hand. */
const files = {
  'package.json': `{
	"name": "shop",
	"private": true,
	"scripts": {
		"deploy": "wrangler deploy",
		"dev": "wrangler dev",
		"cf-typegen": "wrangler types"
	}
}
`,
  'wrangler.jsonc': `/**
 * The configuration of wrangler
 */
{
	"$schema": "node_modules/wrangler/config-schema.json",
	"name": "shop",
	"main": "src/index.ts",
	"compatibility_date": "2026-11-02",
	"observability": {
		"enabled": true
	}
	/**
	 * Variables: https://developers.cloudflare.com/workers/wrangler/configuration/
	 */
	// "vars": { "MY_VARIABLE": "production_value" },
}
`,
  'tsconfig.json': `{
	"compilerOptions": {
		"target": "es2024",
		"lib": ["es2024"],
		"module": "es2022",
		"moduleResolution": "Bundler",
		"resolveJsonModule": true,
		"noEmit": true,
		"allowImportingTsExtensions": true,
		"isolatedModules": true,
		"strict": true,
		"skipLibCheck": true,
		"types": ["./worker-configuration.d.ts"]
	}
}
`,
  '.gitignore': 'node_modules/\n\n# wrangler\n\n.wrangler\n.dev.vars*\n',
  'src/index.ts': `import { createWorker } from 'helve'
import { registry } from '../.helve/registry'

export default createWorker({ name: 'shop', version: '1.0.0', registry })
`,
  'tools/pay.ts': `import { ToolError, defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
	description: 'Pays after the user confirms.',
	output: z.object({ paid: z.boolean() }),
	ask: () => ({ confirm: form('Pay?', z.object({ pay: z.boolean() })) }),
	run({ answers }) {
		if (!answers.confirm.pay) throw new ToolError('Nothing was charged.')
		return { paid: true }
	},
})
`,
}

test("helve check --fix completes a project of Cloudflare's template, and keeps its comments", async () => {
  const { folder, run } = await createInstalledProject(files)
  await promisify(execFile)('git', ['init', '-q'], { cwd: folder })
  const before = await run('helve', 'check', '--only', 'tools,config,types')
  expect(before).toContain('declares no storage for Handles and Hub and Bridge')
  expect(before).toContain('wrangler.jsonc has no [build] command')
  expect(before).toContain('worker-configuration.d.ts is missing')
  expect(before).toContain('`helve check --fix` mends 5 of them.')
  await run('helve', 'check', '--fix')
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')
  expect(await read('wrangler.jsonc')).toBe(
    files['wrangler.jsonc'].replace(
      '\t\t"enabled": true\n\t}\n',
      `\t\t"enabled": true
	},
	"migrations": [
		{
			"tag": "v1",
			"new_sqlite_classes": ["Handles", "Hub", "Bridge"]
		}
	],
	"build": {
		"command": "npx helve build",
		"watch_dir": ["src", "tools"]
	}
`,
    ),
  )
  expect(await read('src/index.ts')).toContain(
    '\n\nexport const { Handles, Hub, Bridge, Listings } = worker\nexport default worker\n',
  )
  expect(await read('.gitignore')).toBe(`${files['.gitignore']}.helve/\n`)
  // all of it is complete now: with the package's own command as the build command of wrangler
  expect(await run('helve', 'check', '--strict')).toMatch(/^helve: 1 tool, no problems\n/)
  expect(await run('tsc')).toBe('')
  expect(await run('helve', 'check', '--fix')).not.toContain('Fixed')
}, 300_000)
