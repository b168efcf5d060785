import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        // real workerd: everything that runs in production
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          name: 'workerd',
          include: ['test/rooms/**/*.test.ts', 'test/spec/**/*.test.ts'],
          exclude: ['test/rooms/build/**', 'test/rooms/state/**'],
        },
      },
      {
        // real workerd with every Durable Object, and a Worker that uses them
        plugins: [cloudflareTest({ wrangler: { configPath: './test/rooms/state/wrangler.toml' } })],
        test: { name: 'state', include: ['test/rooms/state/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        // real workerd: everything that can leave the server, and what must not leave with it
        plugins: [cloudflareTest({ wrangler: { configPath: './test/leaks/wrangler.toml' } })],
        test: { name: 'leaks', include: ['test/leaks/*.test.ts'] },
      },
      {
        // Node: the build and the structure
        test: {
          name: 'node',
          include: [
            'test/docs.test.ts',
            'test/structure/*.test.ts',
            'test/types/*.test.ts',
            'test/rooms/build/**/*.test.ts',
            'test/conformance/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // clients of all kinds against one `wrangler dev`
        test: {
          name: 'blackbox',
          include: ['test/blackbox/**/*.test.ts'],
          globalSetup: 'test/support/shared-server.ts',
          testTimeout: 30_000,
        },
      },
    ],
  },
})
