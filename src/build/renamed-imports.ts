const access = 'helve/access/'

/** Modules of which the exported name changed too. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['helve/access/optional', "import { optionalAuth } from 'helve/auth/optional-auth'."],
  [
    'helve/access/cloudflare-access',
    "import { cloudflareAccess } from 'helve/auth/cloudflare-access'.",
  ],
])

/** Returns what to write instead of an import of an earlier version, or `null` if it is current. */
export function toReplacement(specifier: string): string | null {
  if (!specifier.startsWith(access)) return null
  return replacements.get(specifier) ?? `import 'helve/auth/${specifier.slice(access.length)}'.`
}
