import { expect, test } from 'vitest'
import { definePrompt } from '../../../src/define/prompt.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { ask, createSettings } from './test-call.ts'

const settings = createSettings({
  ping: defineTool({ description: 'Answers.', run: () => 'pong' }),
  greet: definePrompt({ description: 'Greets.', messages: () => 'Hello' }),
  notes: defineResource({ uri: 'test://notes', mime: 'text/plain', read: () => 'notes' }),
})

test('a server with a hub says that it notifies', async () => {
  const { result } = await ask(settings, 'server/discover')
  expect(result?.['capabilities']).toEqual({
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    logging: {},
  })
})

test('a server without a hub promises no notifications', async () => {
  const { result } = await ask(settings, 'server/discover', {}, { exports: {} })
  expect(result?.['capabilities']).toEqual({ tools: {}, prompts: {}, resources: {}, logging: {} })
})
