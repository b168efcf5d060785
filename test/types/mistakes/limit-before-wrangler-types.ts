import { defineTool } from '../../../src/index.ts'

export default defineTool({
  description: 'Answers.',
  limit: 'CALLS',
  run: () => 'pong',
})

/*
(5,3): error TS2322: Type '"CALLS"' is not assignable to type '"No [[ratelimits]] in Cloudflare.Env: add one to wrangler.toml and run `npx wrangler types --include-runtime=false`" | ExactLimit'.
*/
