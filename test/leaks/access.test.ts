import { expect, test } from 'vitest'
import { defineTool, type WorkerOptions } from 'helve'
import { url } from '../spec/server.ts'
import { serve, type Exit, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

type Auth = NonNullable<WorkerOptions['auth']>

const caller = { subject: 'ada', scopes: [], claims: {} }
const issuer = 'https://issuer.example.com'

function ask(authenticate: Auth['authenticate'], more: object = {}): Promise<Sent> {
  const say = defineTool({ description: 'Says.', run: () => 'x', ...more })
  return serve({ say }, toOptions(authenticate)).ask('tools/call', { name: 'say' })
}

function toOptions(authenticate: Auth['authenticate']): Partial<WorkerOptions> {
  const authorizationServers = () => [issuer]
  return { auth: { allowsAnonymous: false, authorizationServers, authenticate } }
}

const letsIn: Auth['authenticate'] = async () => ({ kind: 'caller', caller })

function readMetadata(options: Partial<WorkerOptions>, scopes: readonly string[]): Promise<Sent> {
  const say = defineTool({ description: 'Says.', scopes, run: () => 'x' })
  const metadata = new URL('/.well-known/oauth-protected-resource/mcp', url)
  return serve({ say }, { ...toOptions(letsIn), ...options }).send(new Request(metadata))
}

/** A header has question marks instead of what is not ASCII (RFC 6750, 3). */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?')

const readChallenge: Exit['read'] = ({ headers }) => headers.get('WWW-Authenticate')

const exits: readonly Exit[] = [
  {
    name: 'why credentials are refused',
    say: (said) => ask(async () => ({ kind: 'refused', why: said })),
    read: ({ message }) => message.error.message,
  },
  {
    name: 'why credentials are refused, in WWW-Authenticate',
    spell: inHeader,
    say: (said) => ask(async () => ({ kind: 'refused', why: said })),
    read: readChallenge,
  },
  {
    name: 'the scopes that are missing',
    say: (said) => ask(letsIn, { scopes: [said] }),
    read: ({ message }) => message.error.message,
  },
  {
    name: 'the scopes that are missing, in WWW-Authenticate',
    // a scope with anything else in it cannot be asked for
    takes: ['secret'],
    say: (said) => ask(letsIn, { scopes: [said] }),
    read: readChallenge,
  },
  {
    name: 'the scopes of the metadata',
    takes: ['secret'],
    say: (said) => readMetadata({}, [said]),
    read: ({ message }) => message.scopes_supported,
  },
  {
    name: 'the name of the server in the metadata',
    say: (said) => readMetadata({ name: said }, []),
    read: ({ message }) => message.resource_name,
  },
  {
    name: 'an error of an authenticator, in the log',
    into: 'log',
    say: (said) => ask(() => Promise.reject(new TypeError(said))),
    read: ({ lines }) => lines,
  },
  {
    name: 'an error of an authenticator, in the reply',
    isSilent: true,
    say: (said) => ask(() => Promise.reject(new TypeError(said))),
    read: ({ message }) => message.error,
  },
]

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
