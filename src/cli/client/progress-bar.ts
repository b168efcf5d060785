import process from 'node:process'
import type { LogMessage, ProgressUpdate } from '../../client/client.ts'
import { toSafeLine } from './printable.ts'

/** Shows on standard error how far a call is: as a bar on a terminal, as lines elsewhere. */
export interface Reporter {
  readonly onProgress: (update: ProgressUpdate) => void
  readonly onLog: (message: LogMessage) => void
  /** Removes the bar. */
  readonly clear: () => void
}

const cells = 24

export function createReporter(stderr: NodeJS.WriteStream = process.stderr): Reporter {
  let isShown = false
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001B[K')
    isShown = false
  }
  return {
    clear,
    onProgress(update) {
      if (!stderr.isTTY) return void stderr.write(`${toProgressText(update)}\n`)
      clear()
      const width = (stderr.columns || 80) - 1
      stderr.write(`${toBar(update)}${toProgressText(update)}`.slice(0, width))
      isShown = true
    },
    onLog({ level, logger, data }) {
      clear()
      const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
      const from = logger === undefined ? level : `${level} ${toSafeLine(logger)}`
      stderr.write(`${from}: ${toSafeLine(text, 2_000)}\n`)
    },
  }
}

function toProgressText({ progress, total, message }: ProgressUpdate): string {
  const amount = total === undefined ? `${progress}` : `${progress}/${total}`
  return message === undefined ? amount : `${amount} ${toSafeLine(message)}`
}

function toBar({ progress, total }: ProgressUpdate): string {
  if (total === undefined || !(total > 0)) return ''
  const share = Math.min(1, Math.max(0, progress / total))
  const full = Math.round(share * cells)
  const percent = `${Math.round(share * 100)}%`.padStart(4)
  return `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${percent} `
}
