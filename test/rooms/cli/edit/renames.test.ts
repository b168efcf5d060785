import { expect, test } from 'vitest'
import { renameInModule } from '../../../../src/cli/edit/renames.ts'

test.each([
  ["import { jwt } from 'helve/access/jwt'", "import { jwt } from 'helve/auth/jwt'"],
  [
    'const { jwt } = await import("helve/access/jwt")',
    'const { jwt } = await import("helve/auth/jwt")',
  ],
  [
    "import { optional } from 'helve/access/optional'\nauth: optional(jwt()), z.string().optional()",
    "import { optionalAuth } from 'helve/auth/optional-auth'\nauth: optionalAuth(jwt()), z.string().optional()",
  ],
  [
    "import { access } from 'helve/access/cloudflare-access'\nconst make = access",
    "import { cloudflareAccess as access } from 'helve/auth/cloudflare-access'\nconst make = access",
  ],
  [
    "import { access as cf, type AccessOptions } from 'helve/access/cloudflare-access'\nconst o: AccessOptions = cf({ access: 1 })",
    "import { cloudflareAccess as cf, type CloudflareAccessOptions } from 'helve/auth/cloudflare-access'\nconst o: CloudflareAccessOptions = cf({ access: 1 })",
  ],
  [
    "import type { Identity, Identify } from 'helve/auth/custom'\nconst f: Identify = (): Identity => null",
    "import type { IdentifiedCaller, IdentifyCaller } from 'helve/auth/custom'\nconst f: IdentifyCaller = (): IdentifiedCaller => null",
  ],
  [
    "import type { Algorithm } from 'helve/access/jwt'\ntype A = Algorithm[]",
    "import type { SignatureAlgorithm } from 'helve/auth/jwt'\ntype A = SignatureAlgorithm[]",
  ],
  [
    "import { type Running, defineTool } from 'helve'\nconst x = (context: Running) => 'Running'",
    "import { type RunContext, defineTool } from 'helve'\nconst x = (context: RunContext) => 'Running'",
  ],
  // another `Running`: the name stays
  [
    "import type { Running } from 'helve'\nconst x = { Running: 1 }",
    "import type { RunContext as Running } from 'helve'\nconst x = { Running: 1 }",
  ],
  [
    "export { optional } from 'helve/access/optional'",
    "export { optionalAuth as optional } from 'helve/auth/optional-auth'",
  ],
  ["defineResource({ uri: 'a:b', fresh: '1h' })", "defineResource({ uri: 'a:b', cache: '1h' })"],
  [
    'defineTool({ run() { return { fresh: 1 } }, fresh })',
    'defineTool({ run() { return { fresh: 1 } }, cache: fresh })',
  ],
  ["createWorker({ fresh: { lists: '5m' } })", "createWorker({ cache: { lists: '5m' } })"],
  [
    "createWorker({ cache: 'colo', name: 'a' })",
    "createWorker({ cache: { store: 'colo' }, name: 'a' })",
  ],
  ['createWorker({ cache: false })', 'createWorker({ cache: { store: false } })'],
  [
    "createWorker({\n  cache: 'colo',\n  // lists\n  fresh: { lists: '5m' },\n})",
    "createWorker({\n  // lists\n  cache: { lists: '5m', store: 'colo' },\n})",
  ],
])('%j is written in the names of today', (before, after) => {
  const { text, renamed } = renameInModule(before)
  expect(text).toBe(after)
  expect(renamed).not.toEqual([])
  expect(renameInModule(text)).toEqual({ text, renamed: [] })
})

test.each([
  "// import { jwt } from 'helve/access/jwt'",
  'const text = "from \'helve/access/jwt\'"',
  'const text = `createWorker({ fresh: 1 })`',
  'const pattern = /"/\ndefineOther({ fresh: "1h" }) // "',
  "import { optional } from 'helve'\noptional(basket)",
  "import { Running } from './other.ts'",
  "defineTool({ fresh: '1h', cache: '2h' })",
  "createWorker({ cache: { store: 'colo' } })",
  "createWorker({ cache: 'colo', fresh: options })",
  'createWorker({ cache: where })',
  "import { x } from 'helve/access/unknown'",
])('%j stays as it is', (text) => {
  expect(renameInModule(text)).toEqual({ text, renamed: [] })
})

test('the line of each rename is reported', () => {
  const text =
    "/*\n*/\nimport { optional } from 'helve/access/optional'\n\ncreateWorker({\n  fresh: {},\n})\n"
  expect(renameInModule(text).renamed).toEqual([
    { code: 'renamed-option', line: 6, message: '`fresh` is now `cache`.' },
    {
      code: 'renamed-import',
      line: 3,
      message: "'helve/access/optional' is now 'helve/auth/optional-auth'.",
    },
    { code: 'renamed-import', line: 3, message: '`optional` is now `optionalAuth`.' },
  ])
})
