import { afterAll, afterEach, expect } from 'vitest'
import { takeMessageProblems, toWatchedFetch } from './watched-fetch.ts'

/*
 * Every message that a black-box test receives is validated by the official JSON Schema, whatever
 * the test looks at.
 */
globalThis.fetch = toWatchedFetch(globalThis.fetch)

const check = (): void => expect(takeMessageProblems()).toEqual([])
afterEach(check)
// streams may bring messages after the last test
afterAll(check)
