import * as z from 'zod'
import { form } from '../../../src/define/elicitation.ts'
import { definePrompt } from '../../../src/define/prompt.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { Made } from '../../spec/registry.ts'
import type { Note } from './watched-worker.ts'

const description = 'An entry of this test.'
/** What a caller of every entry needs. */
export const scopes = ['shop:write']
const limit = { tokens: 5, per: '1m' } as const
const yes = { sure: { action: 'accept', content: {} } }

/** What can be wrong with a call, in the order in which it is noticed. */
export type Fault =
  | 'an unknown name'
  | 'a missing scope'
  | 'a hidden entry'
  | 'malformed params'
  | 'no free place'
  | 'a used-up limit'
  | 'a forged state'
  | 'invalid input'
  | 'an open question'

export interface Rung {
  readonly fault: Fault | 'nothing'
  /** Every step that the call took before it ended, and after. */
  readonly steps: readonly string[]
  readonly ends: RegExp
}

/** A kind of work: its modules, and a request that has these faults. */
export interface Kind {
  readonly method: string
  readonly make: (note: Note, has: (fault: Fault) => boolean) => Readonly<Record<string, Made>>
  readonly toParams: (has: (fault: Fault) => boolean) => JsonObject
  readonly rungs: readonly Rung[]
}

/** A schema that notes each check of a value; `good` is the only valid one. */
export const noted = (note: Note) =>
  z.string().refine((value) => {
    note('check')
    return value === 'good'
  })

const ask = (note: Note) => () => {
  note('ask')
  return { sure: form('Sure?', z.object({}), { unasked: 'accept' }) }
}

/** The params of every retry: a state only where it is forged, and answers where there are any. */
function toRetry(has: (fault: Fault) => boolean): JsonObject {
  return {
    ...(has('a forged state') && { requestState: 'forged' }),
    ...(!has('an open question') && { inputResponses: yes }),
  }
}

export const tool: Kind = {
  method: 'tools/call',
  make: (note, has) => ({
    pay: defineTool({
      description,
      scopes,
      input: z.object({ amount: noted(note) }),
      limit,
      parallel: 2,
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      run() {
        note('run')
        return 'paid'
      },
    }),
  }),
  toParams: (has) => ({
    name: has('an unknown name') ? 'nothing' : 'pay',
    arguments: has('malformed params') ? [] : { amount: has('invalid input') ? 'bad' : 'good' },
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Unknown tool: nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Unknown tool: pay/ },
    {
      fault: 'malformed params',
      steps: ['load', 'visible'],
      ends: /params\.arguments must be an object/,
    },
    {
      fault: 'no free place',
      steps: ['load', 'visible', 'load', 'begin'],
      ends: /2 calls of it are running already/,
    },
    {
      fault: 'a used-up limit',
      steps: ['load', 'visible', 'load', 'begin', 'count', 'end'],
      ends: /it may be called 5 times in 1m/,
    },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load', 'begin', 'count', 'end'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check', 'end'],
      ends: /pay was not run\. .*amount/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check', 'ask', 'end'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: [
        ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check'],
        ['ask', 'ask', 'run', 'end'],
      ].flat(),
      ends: /"kind":"result".*paid/,
    },
  ],
}

export const prompt: Kind = {
  method: 'prompts/get',
  make: (note, has) => ({
    plan: definePrompt({
      description,
      scopes,
      input: z.object({ topic: noted(note) }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      messages() {
        note('run')
        return 'Plan it.'
      },
    }),
  }),
  toParams: (has) => ({
    name: has('an unknown name') ? 'nothing' : 'plan',
    arguments: has('malformed params')
      ? { topic: 1 }
      : { topic: has('invalid input') ? 'bad' : 'good' },
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Unknown prompt: nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Unknown prompt: plan/ },
    { fault: 'malformed params', steps: ['load', 'visible'], ends: /values are strings/ },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'check'],
      ends: /plan cannot be filled in\. .*topic/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'check', 'ask'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'check', 'ask', 'ask', 'run'],
      ends: /"kind":"result".*Plan it\./,
    },
  ],
}

export const resource: Kind = {
  method: 'resources/read',
  make: (note, has) => ({
    order: defineResource({
      uri: 'shop://orders/{id}',
      mime: 'text/plain',
      scopes,
      params: z.object({ id: noted(note) }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      read() {
        note('run')
        return 'One knife.'
      },
    }),
  }),
  toParams: (has) => ({
    uri: `shop://${has('an unknown name') ? 'nothing' : 'orders'}/${has('invalid input') ? 'bad' : 'good'}`,
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Resource not found: shop:\/\/nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Resource not found/ },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'check'],
      ends: /Resource not found.*id/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'check', 'ask'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'check', 'ask', 'ask', 'run'],
      ends: /"kind":"result".*One knife\./,
    },
  ],
}

export const completion: Kind = {
  method: 'completion/complete',
  make: (note, has) => ({
    plan: definePrompt({
      description,
      scopes,
      input: z.object({ topic: z.string() }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      complete: {
        topic() {
          note('run')
          return ['knives']
        },
      },
      messages: () => '',
    }),
  }),
  toParams: (has) => ({
    ref: { type: 'ref/prompt', name: has('an unknown name') ? 'nothing' : 'plan' },
    argument: { name: has('malformed params') ? 'subject' : 'topic', value: '' },
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /There is no prompt nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /There is no prompt plan/ },
    { fault: 'malformed params', steps: ['load', 'visible'], ends: /plan has no argument subject/ },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'run'],
      ends: /"kind":"result".*knives/,
    },
  ],
}

export const rows: Kind = {
  method: 'resources/list',
  make: (note, has) => ({
    order: defineResource({
      uri: 'shop://orders/{id}',
      mime: 'text/plain',
      scopes,
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      list() {
        note('run')
        return { resources: [{ uri: 'shop://orders/1', name: 'one' }] }
      },
      read: () => '',
    }),
  }),
  toParams: (has) => ({ ...(has('malformed params') && { cursor: 1 }) }),
  rungs: [
    { fault: 'malformed params', steps: [], ends: /The cursor is not from this list/ },
    { fault: 'a missing scope', steps: [], ends: /"kind":"result".*resources\\":\[\]/ },
    {
      fault: 'a hidden entry',
      steps: ['load', 'visible'],
      ends: /"kind":"result".*resources\\":\[\]/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'run'],
      ends: /"kind":"result".*shop:\/\/orders\/1/,
    },
  ],
}
