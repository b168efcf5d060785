import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

// machines that run other tests as well are slow at times
const patience = { testTimeout: 30_000, hookTimeout: 90_000, expect: { poll: { timeout: 15_000 } } }

const toSource = (file: string): string => `${import.meta.dirname}/src/${file}`

// `helve` is the sources, as `paths` in tsconfig.json says; Vite reads that only for some of the files
const resolve = {
  alias: [
    { find: /^helve$/, replacement: toSource('index.ts') },
    { find: /^helve\/auth\/(.+)$/, replacement: toSource('auth/$1.ts') },
    { find: 'helve/client', replacement: toSource('client/client.ts') },
    { find: /^helve\/testing$/, replacement: toSource('testing/testing.ts') },
    { find: 'helve/testing/node', replacement: toSource('testing/node/start-server.ts') },
    {
      find: 'helve/testing/workers-cache',
      replacement: toSource('testing/workers-cache/workers-cache.ts'),
    },
    { find: 'helve/local-issuer', replacement: toSource('auth/local-issuer.ts') },
    { find: 'helve/json-schema', replacement: toSource('schema/json-schema/register.ts') },
  ],
}

/** What `helve` is in Node, by the export condition of package.json. */
const inNode = { find: /^helve$/, replacement: toSource('index.node.ts') }

export default defineConfig({
  test: {
    // one less by default: half of a machine with two cores, while most files wait for a server
    maxWorkers: '100%',
    projects: [
      {
        // real workerd: everything that runs in production
        resolve,
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          name: 'workerd',
          include: ['test/rooms/**/*.test.ts', 'test/spec/**/*.test.ts'],
          exclude: [
            'test/rooms/build/**',
            'test/rooms/cli/**',
            'test/rooms/state/**',
            'test/rooms/testing/node/**',
          ],
          ...patience,
        },
      },
      {
        // real workerd with every Durable Object, and a Worker that uses them
        resolve,
        plugins: [cloudflareTest({ wrangler: { configPath: './test/rooms/state/wrangler.toml' } })],
        test: { name: 'state', include: ['test/rooms/state/**/*.test.ts'], ...patience },
      },
      {
        // real workerd: everything that can leave the server, and what must not leave with it
        resolve,
        plugins: [cloudflareTest({ wrangler: { configPath: './test/leaks/wrangler.toml' } })],
        test: { name: 'leaks', include: ['test/leaks/*.test.ts'], ...patience },
      },
      {
        // Node: the build and the structure
        resolve: { alias: [inNode, ...resolve.alias] },
        test: {
          name: 'node',
          include: [
            'test/docs.test.ts',
            'test/structure/*.test.ts',
            'test/types/*.test.ts',
            'test/rooms/build/**/*.test.ts',
            'test/rooms/cli/**/*.test.ts',
            'test/rooms/testing/node/*.test.ts',
            'test/rooms/testing/call-tool.test.ts',
            'test/conformance/*.test.ts',
            'test/support/*.test.ts',
          ],
          ...patience,
        },
      },
      {
        // real workerd: the example of a Worker that is its own authorization server
        resolve,
        plugins: [cloudflareTest({ wrangler: { configPath: './test/authorized/wrangler.toml' } })],
        test: { name: 'authorized', include: ['test/authorized/*.test.ts'], ...patience },
      },
      {
        // pages, in a real browser
        test: { name: 'browser', include: ['test/browser/*.test.ts'], ...patience },
      },
      {
        // the package as it would be published, in projects of its own
        test: {
          name: 'package',
          include: ['test/package/*.test.ts'],
          globalSetup: 'test/package/packed.ts',
          ...patience,
        },
      },
      {
        // clients of all kinds against one `wrangler dev`
        resolve,
        test: {
          name: 'blackbox',
          include: ['test/blackbox/**/*.test.ts'],
          globalSetup: 'test/support/shared-server.ts',
          setupFiles: 'test/support/check-messages.ts',
          ...patience,
        },
      },
    ],
  },
})
