import { expect, it } from 'vitest'
import * as z from 'zod'
import { createCheck } from '../../../src/schema/check.ts'

const order = z.strictObject({
  sku: z.string(),
  email: z.email(),
  size: z.enum(['S', 'M']),
  notes: z.string().max(3),
})

it('replaces the stock English of zod, which names no field', () => {
  const check = createCheck(order)
  expect(check({ email: 'me', size: 'XL', notes: 'long', x: 1 })).toEqual({
    ok: false,
    problems: [
      '"sku" is missing and must be a string.',
      '"email" must be an email address, but is "me".',
      '"size" must be "S" or "M", but is "XL".',
      '"notes" must have at most 3 characters, but has 4.',
      '"x" is not allowed here.',
    ],
  })
})

it('keeps the sentences of a locale that the author chose', () => {
  z.config(z.locales.de())
  try {
    const result = createCheck(z.object({ sku: z.string() }))({})
    expect(result).toEqual({
      ok: false,
      problems: ['"sku": Ungültige Eingabe: erwartet string, erhalten undefined.'],
    })
  } finally {
    z.config(z.locales.en())
  }
})
