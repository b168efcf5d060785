import { defineResource } from 'helve'
import { wait } from './_wait.ts'

let fills = 0

export default defineResource({
  uri: 'slow://rows/{fill}',
  description: 'Has one row, which says how often the slow source behind the list was asked.',
  mime: 'text/plain',
  shared: true,
  async list() {
    fills += 1
    const fill = fills
    await wait(50)
    return { resources: [{ uri: `slow://rows/${fill}`, name: `fill ${fill}` }] }
  },
  read: ({ params }) => `fill ${params.fill}`,
})
