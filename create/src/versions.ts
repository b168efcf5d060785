/**
 * What a project is created with. A test compares the table with the versions that the tests of Helve
 * run with: these work together.
 */
export const versions = {
  '@cloudflare/vitest-plugin': '1.5.0',
  '@cloudflare/workers-oauth-provider': '1.2.3',
  helve: '^0.1.0',
  typescript: '7.0.2',
  // not needed by name, but 8.4.0, which vitest would take, cannot be installed
  vite: '8.3.8',
  vitest: '5.1.2',
  wrangler: '4.156.2',
  zod: '4.6.7',
} as const

export type Dependency = keyof typeof versions
