import { expect, test } from 'vitest'
import { isJsonContentType, readAccept } from '../../../src/serve/media-types.ts'

test.each([
  ['application/json, text/event-stream', 'application/json', true, true],
  ['text/event-stream, application/json', 'application/json', true, true],
  ['application/json', 'application/json', false, false],
  ['APPLICATION/JSON', 'application/json', false, false],
  ['application/json; charset=utf-8', 'application/json', false, false],
  ['application/*', 'application/json', false, false],
  ['*/*', 'application/json', false, true],
  ['text/html, */*;q=0.1', 'application/json', false, true],
  ['application/json;q=0.1, text/event-stream', 'application/json', true, true],
  ['application/json, text/event-stream;q=0, */*', 'application/json', false, false],
  ['text/event-stream', 'text/event-stream', true, true],
  ['text/*', 'text/event-stream', true, true],
  ['application/json;q=0, */*', 'text/event-stream', false, true],
  ['application/json; q=0.000, text/event-stream', 'text/event-stream', true, true],
])('an Accept of "%s" chooses %s', (accept, reply, streams, allowsStream) => {
  expect(readAccept(accept)).toEqual({ reply, streams, allowsStream })
})

test.each(['*/*;q=0', 'application/json;q=0', 'text/html', 'application/jsonp'])(
  'an Accept of "%s" leaves no choice',
  (accept) => {
    expect(readAccept(accept)).toBeNull()
  },
)

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
