import { defineTool } from 'helve'

export default defineTool({
  description: 'Logs at debug, info and error, for those who ask for it, then returns.',
  run({ log }) {
    log.debug('A detail.', { step: 1 })
    log.info('The tool is running.')
    log.error('Something looks wrong.')
    return 'Logged three messages.'
  },
})
