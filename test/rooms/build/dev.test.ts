import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startWranglerDev, type WranglerDev } from '../../support/wrangler-dev.ts'
import { createTemporaryProject, toolSource, type TemporaryProject } from './temporary-project.ts'

const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')

const config = `name = "shop"
main = "worker.ts"
compatibility_date = "2026-11-02"
[build]
command = '"${process.execPath}" "${helve}" build'
watch_dir = "tools"
`

// GET / lists the tools, and the modules that were loaded so far; GET /name calls one
const worker = `import { registry } from './.helve/registry.ts'
export default {
  async fetch(request) {
    const called = new URL(request.url).pathname.slice(1)
    const tool = registry.tools.find(({ name }) => name === called)
    if (tool) return new Response(await (await tool.load()).default.definition.run())
    return Response.json({ tools: registry.tools.map(({ name }) => name), loaded: globalThis.loaded ?? [] })
  },
}
`

/** A tool that answers with a text, and that leaves a trace when its module is loaded. */
function answering(text: string): string {
  return toolSource(`run: () => '${text}'`, `;(globalThis.loaded ??= []).push('${text}')`)
}

let project: TemporaryProject
let dev: WranglerDev

beforeAll(async () => {
  const files = {
    'wrangler.toml': config,
    'worker.ts': worker,
    'tools/hello.ts': answering('hello'),
  }
  const cleaners: (() => Promise<void>)[] = []
  project = await createTemporaryProject(files, (remove) => cleaners.push(remove))
  dev = await startWranglerDev({ cwd: project.root })
  return async () => {
    await dev.stop()
    await Promise.all(cleaners.map((clean) => clean()))
  }
})

/** Asks the Worker; while wrangler builds, the question waits. */
async function ask(path: string): Promise<string> {
  const response = await fetch(dev.url + path)
  return response.text()
}

// a second on a quiet machine
const patience = { timeout: 15_000, interval: 50 }

/** Waits until this many refusals were printed, and wrangler has reloaded after the last. */
async function waitForRefusals(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const [, ...after] = (await readFile(dev.log, 'utf8')).split('The last good tools are still')
      return after.length === count && after.at(-1)?.includes('updated and ready')
    }, patience)
    .toBe(true)
}

test('loads a module when its tool is first called', async () => {
  expect(await ask('/')).toBe('{"tools":["hello"],"loaded":[]}')
  expect(await ask('/hello')).toBe('hello')
  expect(await ask('/')).toBe('{"tools":["hello"],"loaded":["hello"]}')
})

test('serves a new file in a new folder, with imports that are not JavaScript', async () => {
  const imports = "import page from '../../new.txt'\nimport source wasm from '../../empty.wasm'"
  await project.write({
    'new.txt': 'new',
    'empty.wasm': '\0asm\u0001\0\0\0',
    'tools/sub/new.ts': toolSource(
      'run: () => wasm instanceof WebAssembly.Module && page',
      imports,
    ),
  })
  await expect.poll(() => ask('/sub_new'), patience).toBe('new')
})

test('serves the last good tools while one is refused', async () => {
  await project.write({ 'tools/hello.ts': toolSource("title: '', run: () => 'refused'") })
  await waitForRefusals(1)
  expect(await ask('/hello')).toBe('hello')
})

test('serves the last good tools while one does not parse', async () => {
  await project.write({ 'tools/hello.ts': 'export default defineTool({' })
  await waitForRefusals(2)
  expect(await ask('/hello')).toBe('hello')
  expect(await ask('/sub_new')).toBe('new')
})

test('serves a tool again when it is put right', async () => {
  await project.write({ 'tools/hello.ts': answering('hello again') })
  await expect.poll(() => ask('/hello'), patience).toBe('hello again')
})

test('forgets a file that is removed', async () => {
  await rm(join(project.tools, 'sub'), { recursive: true })
  await expect.poll(() => ask('/'), patience).toBe('{"tools":["hello"],"loaded":[]}')
})
