import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startWranglerDev, type WranglerDev } from '../../support/wrangler-dev.ts'
import { createTemporaryProject, toolSource } from './temporary-project.ts'

/*
 * CommonJS packages that require modules of Node: the build evaluates what wrangler bundles, and the
 * tools then run in `wrangler dev`. Each creates its client while it is loaded, as authors do.
 */

const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')

const config = `name = "shop"
main = "worker.ts"
compatibility_date = "2026-11-02"
[build]
command = '"${process.execPath}" "${helve}" build'
watch_dir = "tools"
`

const worker = `import { registry } from './.helve/registry.ts'
export default {
  async fetch(request) {
    const called = new URL(request.url).pathname.slice(1)
    const tool = registry.tools.find(({ name }) => name === called)
    return new Response(await (await tool.load()).default.definition.run())
  },
}
`

const tools = {
  pg: toolSource(
    "run: () => pool.options.max + pg.escapeIdentifier('a\"b') + types.getTypeParser(23)('42')",
    "import pg, { types } from 'pg'\nconst pool = new pg.Pool({ host: '127.0.0.1', max: 3 })",
  ),
  mysql: toolSource(
    "run: () => pool.format('select ?', [\"it's\"])",
    "import mysql from 'mysql2/promise'\nconst pool = mysql.createPool({ host: '127.0.0.1' })",
  ),
  jwt: toolSource(
    "run: () => jwt.verify(token, 'key').sub + jwt.decode(jwt.sign({ sub: 'b' }, 'key')).sub",
    "import jwt from 'jsonwebtoken'\nconst token = jwt.sign({ sub: 'a' }, 'key')",
  ),
  slack: toolSource(
    'run: () => slack.slackApiUrl',
    "import { WebClient } from '@slack/web-api'\nconst slack = new WebClient('xoxb-1')",
  ),
  winston: toolSource(
    "run: () => { log.info('seen'); return String(log.isLevelEnabled('debug')) }",
    `import winston from 'winston'
const log = winston.createLogger({ level: 'info', transports: [new winston.transports.Console()] })`,
  ),
  mongo: toolSource(
    "run: () => client.db('shop').collection('a').namespace + new ObjectId('5'.repeat(24)).toHexString()",
    `import { MongoClient, ObjectId } from 'mongodb'
const client = new MongoClient('mongodb://127.0.0.1:1')`,
  ),
}

let dev: WranglerDev

beforeAll(async () => {
  const cleaners: (() => Promise<void>)[] = []
  const sources = Object.entries(tools).map(([name, source]) => [`tools/${name}.ts`, source])
  const files = { 'wrangler.toml': config, 'worker.ts': worker, ...Object.fromEntries(sources) }
  const project = await createTemporaryProject(files, (remove) => cleaners.push(remove))
  dev = await startWranglerDev({ cwd: project.root })
  return async () => {
    await dev.stop()
    await Promise.all(cleaners.map((clean) => clean()))
  }
})

test.each([
  ['pg', '3"a""b"42'],
  ['mysql', String.raw`select 'it\'s'`],
  ['jwt', 'ab'],
  ['slack', 'https://slack.com/api/'],
  ['winston', 'false'],
  ['mongo', `shop.a${'5'.repeat(24)}`],
])('%s is built, and runs in wrangler dev', async (tool, answer) => {
  const response = await fetch(`${dev.url}/${tool}`)
  expect(await response.text()).toBe(answer)
})
