import { expect, test } from 'vitest'
import { addWorkerExports } from '../../../../src/cli/edit/module-edit.ts'

const add = (text: string): string | null => addWorkerExports(text, ['Hub', 'Bridge'])

test.each([
  [
    'const worker = createWorker({})\nexport const { Handles, Hub } = worker\nexport default worker\n',
    'const worker = createWorker({})\nexport const { Handles, Hub, Bridge } = worker\nexport default worker\n',
  ],
  [
    'export const {\n  Handles, // all\n} = shop\nexport default shop\n',
    'export const {\n  Handles, Hub, Bridge, // all\n} = shop\nexport default shop\n',
  ],
  [
    'const shop: Worker = createWorker({})\n// the Worker\nexport default shop\n',
    'const shop: Worker = createWorker({})\n// the Worker\nexport const { Hub, Bridge } = shop\nexport default shop\n',
  ],
  [
    "const shop = createWorker({})\n\nexport default {\n  fetch: () => new Response('x'),\n}\n",
    "const shop = createWorker({})\n\nexport const { Hub, Bridge } = shop\nexport default {\n  fetch: () => new Response('x'),\n}\n",
  ],
  [
    "export default createWorker({\r\n  name: 'a',\r\n})\r\n",
    "const worker = createWorker({\r\n  name: 'a',\r\n})\r\n\r\nexport const { Hub, Bridge } = worker\r\nexport default worker\r\n",
  ],
])('%j exports the classes', (before, after) => {
  expect(add(before)).toBe(after)
})

test.each([
  'export default {}',
  'export { default } from "./worker.ts"',
  'let worker\nexport default createWorker({})',
  '// const worker = createWorker({})\nexport default {}',
  'export const { A } = a\nexport const { B } = b\nexport default a',
])('%j has no safe place for them', (text) => {
  expect(add(text)).toBeNull()
})
