import { defineResource } from 'helve'

export default defineResource({
  uri: 'test://template/{id}/data',
  title: 'Data of a template',
  description: 'A JSON document for each id there could be.',
  mime: 'application/json',
  read: ({ params: { id } }) =>
    JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
})
