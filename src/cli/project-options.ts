/** The options of all commands that read the project. */
export const projectOptions = {
  tools: { type: 'string', value: '<folder>', about: 'the folder with the tools (default: tools)' },
  out: {
    type: 'string',
    value: '<folder>',
    about: 'the folder for the registry (default: .helve)',
  },
  config: {
    type: 'string',
    short: 'c',
    value: '<file>',
    about: 'the configuration of wrangler (default: wrangler.json, .jsonc or .toml)',
  },
  env: {
    type: 'string',
    short: 'e',
    value: '<name>',
    about: 'the environment of wrangler (default: CLOUDFLARE_ENV, or the top level)',
  },
} as const
