import * as z from 'zod'
import { expect, test } from 'vitest'
import { carry } from '../../../src/define/question.ts'
import { form, link } from '../../../src/define/elicitation.ts'
import { readQuestions } from '../../../src/mcp/questions/rounds.ts'
import { roots, sample } from '../../../src/define/sampling.ts'

const sure = form('Sure?', z.object({}))

test('every kind of question is read, and what is undefined stays so', () => {
  const questions = {
    sure,
    page: link('Open', 'https://shop.example/'),
    kept: carry(null),
    words: sample({ messages: [], maxTokens: 1 }),
    folders: roots(),
    later: undefined,
  }
  expect(readQuestions(questions)).toEqual(questions)
  expect(readQuestions({})).toEqual({})
})

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [false, 'a value of type boolean'],
  ['Sure?', 'a value of type string'],
  [[sure], 'an array'],
])('%j is not an object of questions', (returned, kind) => {
  expect(() => readQuestions(returned)).toThrow(`\`ask\` returned ${kind}, which is not an object`)
})

test.each([
  ['null', null],
  ['what `condition && form()` leaves', false],
  ['text', 'Sure?'],
  ['a promise of a question', Promise.resolve(sure)],
  ['a request alone', sure.request],
  ['a question without a reader', { ...sure, read: undefined }],
  ['a question without a capability', { ...sure, capability: 'telepathy' }],
  ['a question with a need that is unknown', { ...sure, needs: ['telepathy'] }],
  ['a question without a request', { ...sure, request: undefined }],
  ['an unknown word about unasked answers', { ...sure, unasked: 'always' }],
  ['a carried nothing', { ...carry(1), carried: undefined }],
])('%s is not a question', (_, value) => {
  expect(() => readQuestions({ sure, other: value })).toThrow(
    /under "other", which is not a question/,
  )
})
