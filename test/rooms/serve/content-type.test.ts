import { expect, test } from 'vitest'
import { isJsonContentType } from '../../../src/serve/read-request.ts'

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset="UTF-8"',
  'application/json ; profile=x ; charset=utf8',
])('%s is JSON', (contentType) => {
  expect(isJsonContentType(contentType)).toBe(true)
})

test.each([
  '',
  'missing',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json+ld',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json, text/plain',
])('"%s" is not JSON in UTF-8', (contentType) => {
  expect(isJsonContentType(contentType)).toBe(false)
})
