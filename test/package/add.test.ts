import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { helloWorld, hono } from './cloudflare-workers.ts'
import { createInstalledProject } from './installed-project.ts'
import { expectFirstCalls } from './official-client.ts'

const slow = { timeout: 240_000 }

test.each([
  ['hello-world', helloWorld, ['types'], '/', 'Hello World!'],
  ['Hono', hono, ['types', '--env-interface', 'CloudflareBindings'], '/message', 'Hello Hono!'],
])(
  'a Worker from the %s template becomes an MCP server, and stays what it was',
  slow,
  async (_, files, types, path, text) => {
    const project = await createInstalledProject(files, ['wrangler', 'zod', 'typescript', 'hono'])
    // without a terminal nothing is written
    await expect(project.run('helve', 'add')).rejects.toThrow('Run `helve add --yes`.')
    expect(await readFile(join(project.folder, 'src/index.ts'), 'utf8')).toBe(files['src/index.ts'])

    const added = await project.run('helve', 'add', '--yes')
    expect(added).toContain('helve: 1 tool in .helve/registry.ts')
    expect(added).not.toContain('To do by hand')
    expect(await project.run('helve', 'add')).toBe('helve: there is nothing to do.\n')

    await project.run('wrangler', ...types)
    expect(await project.run('tsc', '-p', '.')).toBe('')
    expect(await project.run('helve', 'check', '--strict')).not.toContain('warning')
    expect(await project.run('wrangler', 'deploy', '--dry-run')).toContain(
      '--dry-run: exiting now.',
    )

    const url = await expectFirstCalls(project.folder)
    const response = await fetch(`${url}${path}`)
    expect(await response.text()).toBe(text)
  },
)
