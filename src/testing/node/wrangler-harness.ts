import { requireOfWrangler } from '../../build/wrangler-packages.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { PrintedLine, TestServer } from '../test-server.ts'

/** The part of wrangler's test harness that is used here. Its types are as large as wrangler itself. */
interface Harness {
  listen(): Promise<{ readonly url: URL }>
  getWorker(): {
    getEnv(): Promise<Cloudflare.Env>
    applyD1Migrations(binding: string): Promise<void>
    scheduled(options: { readonly cron: string; readonly scheduledTime: Date }): Promise<unknown>
  }
  getLogs(): readonly PrintedLine[]
  close(): Promise<void>
}

type CreateHarness = (options: {
  readonly root: string
  readonly workers: readonly {
    readonly config: JsonObject
    readonly vars: JsonObject
    readonly secrets: Readonly<Record<string, string>>
  }[]
}) => Harness

export type RunningHarness = { readonly url: URL } & Pick<
  TestServer,
  'applyD1Migrations' | 'close' | 'getEnv' | 'printed' | 'runScheduled'
>

/** Starts the Worker of a configuration with wrangler's own test harness, without persisted storage. */
export async function createHarness(
  root: string,
  config: JsonObject,
  added: { readonly vars: JsonObject; readonly secrets: Readonly<Record<string, string>> },
): Promise<RunningHarness> {
  const create: unknown = requireOfWrangler(root)('wrangler').createTestHarness
  if (!isCreate(create)) {
    throw new Error(
      'The wrangler of this project has no createTestHarness, with which the Worker is run. Run ' +
        '`npm install --save-dev wrangler@latest`.',
    )
  }
  const harness = create({ root, workers: [{ config, ...added }] })
  const { url } = await harness.listen().catch(async (error: unknown) => {
    await harness.close().catch(() => {})
    throw error
  })
  const worker = harness.getWorker()
  return {
    url,
    getEnv: () => worker.getEnv(),
    applyD1Migrations: (binding) => worker.applyD1Migrations(binding),
    async runScheduled(cron, time = new Date()) {
      await worker.scheduled({ cron, scheduledTime: time })
    },
    printed: () => harness.getLogs(),
    close: () => harness.close(),
  }
}

function isCreate(value: unknown): value is CreateHarness {
  return typeof value === 'function'
}
