import { base64url, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { vi } from 'vitest'
import { resource } from './auth-context.ts'

/** An authorization server that answers the `fetch` of this isolate, and signs tokens. */
export interface Issuer {
  readonly url: string
  /** Creates a key and publishes it; the previous keys are withdrawn unless `keep` is set. */
  readonly rotate: (kid: string, options?: { readonly keep?: boolean }) => Promise<void>
  /** Signs a token whose claims are valid by default; a claim of `undefined` is left out. */
  readonly sign: (claims?: Claims, header?: Header) => Promise<string>
  /** Signs with ES256 what a library would refuse to sign. */
  readonly signAnything: (claims: Claims, header: Header) => Promise<string>
  /** The published keys. */
  readonly keys: JWK[]
  /** What each URL answers; others answer 404. */
  readonly answers: Map<string, () => Response | Promise<Response>>
  /** The URLs that were fetched. */
  readonly fetched: string[]
}

export type Claims = Readonly<Record<string, unknown>>

type Header = Readonly<Record<string, unknown>>

export const now = (): number => Math.floor(Date.now() / 1000)

export async function createIssuer(url = 'https://auth.example', alg = 'ES256'): Promise<Issuer> {
  const keys: JWK[] = []
  const fetched: string[] = []
  let signing: { readonly kid: string; readonly key: CryptoKey } | null = null

  async function rotate(kid: string, { keep = false } = {}): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    if (!keep) keys.length = 0
    keys.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })
    signing = { kid, key: privateKey }
  }
  await rotate('first')

  const answers = new Map<string, () => Response | Promise<Response>>([
    [
      `${url}/.well-known/oauth-authorization-server`,
      () => Response.json({ issuer: url, jwks_uri: `${url}/keys` }),
    ],
    [`${url}/keys`, () => Response.json({ keys })],
  ])
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const asked = new Request(input).url
    fetched.push(asked)
    return (await answers.get(asked)?.()) ?? new Response(null, { status: 404 })
  })

  const toUsual = () => ({
    iss: url,
    aud: resource,
    sub: 'ada',
    scope: 'shop:read',
    exp: now() + 300,
  })

  async function signAnything(claims: Claims, header: Header): Promise<string> {
    if (signing === null) throw new Error('There is no key.')
    const head = { alg, kid: signing.kid, typ: 'at+jwt', ...header }
    const parts = [head, { ...toUsual(), ...claims }]
    const signed = parts.map((part) => base64url.encode(JSON.stringify(part))).join('.')
    const bytes = new TextEncoder().encode(signed)
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = await crypto.subtle.sign(algorithm, signing.key, bytes)
    return `${signed}.${base64url.encode(new Uint8Array(signature))}`
  }

  async function sign(claims: Claims = {}, header: Header = {}): Promise<string> {
    if (signing === null) throw new Error('There is no key.')
    const usual = toUsual()
    return new SignJWT(Object.assign(usual, claims))
      .setProtectedHeader({ alg, kid: signing.kid, typ: 'at+jwt', ...header })
      .sign(signing.key)
  }
  return { url, rotate, sign, signAnything, keys, answers, fetched }
}
