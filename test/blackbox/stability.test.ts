import { describe, expect, inject, it } from 'vitest'
import { toModernRequest } from '../support/modern-request.ts'

describe('an answer that is the same for everyone', () => {
  it.each([
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
  ])('%s is the same to the byte', async (method) => {
    const ask = async (): Promise<string> =>
      (await fetch(toModernRequest(inject('endpoint'), method))).text()
    const bodies = await Promise.all([ask(), ask(), ask(), ask(), ask()])
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"resultType":"complete"')
  })
})
