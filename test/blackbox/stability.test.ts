import { describe, expect, inject, it } from 'vitest'
import { toModernRequest } from '../support/modern-request.ts'

describe('a list is the same for every caller', () => {
  it.each([
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
  ])('%s returns the same bytes each time', async (method) => {
    const ask = async (): Promise<string> =>
      (await fetch(toModernRequest(inject('endpoint'), method))).text()
    const bodies = await Promise.all([ask(), ask(), ask(), ask(), ask()])
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"resultType":"complete"')
  })
})
