import { importJWK } from 'jose'
import { SignJWT } from 'jose/jwt/sign'
import process from 'node:process'
import { localIssuerName } from '../../auth/local-issuer.ts'
import { loadLocalKey } from '../../build/local-issuer.ts'
import { createProject } from '../../build/project.ts'
import { isDuration, toMilliseconds } from '../../util/duration.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'

export const tokenCommand: Command = defineCommand({
  usage: 'token <subject>',
  about:
    'Prints an access token for the Worker that `helve dev` or `wrangler dev` of this project serves,\n' +
    'whatever its authentication. A deployed Worker refuses it: the key that verifies it is never\n' +
    'deployed.',
  options: {
    scopes: {
      type: 'string',
      value: '<scopes>',
      about: 'its scopes, with spaces or commas between',
    },
    claim: {
      type: 'string',
      multiple: true,
      value: '<name=value>',
      about: 'another claim, a text or JSON; may be repeated',
    },
    expires: { type: 'string', value: '<time>', about: 'such as 30m or 7d (default: 12h)' },
    out: {
      type: 'string',
      value: '<folder>',
      about: 'the folder of the registry (default: .helve)',
    },
  },
  examples: {
    'token ada --scopes "shop:read shop:write"': 'a token of the user ada',
    'call checkout --token "$(helve token ada)"': 'use it',
  },
  async run({ scopes, claim = [], expires = '12h', out }, subject = '') {
    if (!isDuration(expires)) {
      throw new UsageError(
        `\`--expires ${expires}\` is not a duration. Write for example 30m or 7d.`,
      )
    }
    const key = await loadLocalKey(createProject(process.cwd(), { out }))
    const now = Math.floor(Date.now() / 1000)
    const claims = Object.fromEntries(claim.map(readClaim))
    const scope =
      scopes === undefined
        ? {}
        : {
            scope: scopes
              .split(/[\s,]+/)
              .join(' ')
              .trim(),
          }
    const token = await new SignJWT({ client_id: 'helve token', ...claims, ...scope })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(key['kid']) })
      .setSubject(subject)
      .setIssuer(localIssuerName)
      .setAudience(localIssuerName)
      .setIssuedAt(now)
      .setExpirationTime(now + Math.ceil(toMilliseconds(expires) / 1000))
      .sign(await importJWK(key, 'ES256'))
    console.log(token)
    return 0
  },
})

function readClaim(text: string): readonly [string, unknown] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new UsageError(`\`--claim ${text}\` must have the form name=value.`)
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}
