import type { Run } from './run-workerd.ts'

/** Says why a module that threw while it was loaded cannot be served, and what to do. */
export function toThrownSentence(message: string, position?: string): string {
  const where = position === undefined ? '' : `${position}: `
  // workerd's words for any I/O outside a request
  if (message.includes('global scope')) {
    return (
      `${where}does I/O while the module is loaded, and Workers allow fetch, timers and random ` +
      'values only inside a call. Move it into `run`.'
    )
  }
  return `${where}loading the module throws: ${message}`
}

/** Says what became of a module that was still being loaded when workerd ended. */
export function toUnfinishedSentence({ end, stderr }: Run): string {
  return end === 'timed out'
    ? 'Loading the module does not end. Look for an endless loop or an `await` outside of `run`.'
    : `workerd ended while it loaded the module. It says: ${stderr.trim()}`
}
