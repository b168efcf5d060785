import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { isOn } from '../../../tools/_flags/is-on.ts'
import { tellOfChange } from '../../../tools/_flags/tell-of-change.ts'

const { FLAGS } = env

/** Switches the flag and lets as many minutes pass; gives how often a change was told of. */
async function pass(name: string, values: readonly string[]): Promise<number> {
  let told = 0
  for (const value of values) {
    // one minute after the other
    // oxlint-disable-next-line no-await-in-loop
    await FLAGS.put(name, value)
    // oxlint-disable-next-line no-await-in-loop
    await tellOfChange(FLAGS, name, async () => {
      told += 1
    })
  }
  return told
}

it.each([
  ['on', true],
  ['off', false],
  ['ON', false],
  ['', false],
])('a flag that says %j is on: %s', async (value, on) => {
  await FLAGS.put('spelling', value)
  expect(await isOn(FLAGS, 'spelling')).toBe(on)
})

it('a flag that is not set is off', async () => {
  expect(await isOn(FLAGS, 'nobody')).toBe(false)
})

it.each([
  ['never while it stays off', ['off', 'off'], 0],
  ['twice when it goes on', ['off', 'on', 'on', 'on', 'on'], 2],
  ['twice each way', ['on', 'on', 'on', 'off', 'off', 'off'], 4],
  ['every minute while it flickers', ['on', 'off', 'on', 'off'], 4],
])('a change is announced: %s', async (_, values, times) => {
  expect(await pass(values.join(), values)).toBe(times)
})

it('a change that could not be announced is announced in the next minute', async () => {
  await FLAGS.put('retried', 'on')
  const failed = tellOfChange(FLAGS, 'retried', async () => {
    throw new Error('The hub is away.')
  })
  await expect(failed).rejects.toThrow('The hub is away.')
  expect(await pass('retried', ['on', 'on', 'on'])).toBe(2)
})
