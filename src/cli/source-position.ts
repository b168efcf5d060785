import { SourceMap } from 'node:module'
import { basename, resolve, sep } from 'node:path'
import type { OutputFile } from 'esbuild'
import { toRelative, type Project } from './project.ts'

const helve = resolve(import.meta.dirname, '..') + sep

/**
 * Finds the line of the author's that a stack in a bundle comes from, as `file:line:column`;
 * `undefined` where every frame is a library's or Helve's own.
 */
export function findSourcePosition(
  stack: string,
  sourceMaps: readonly OutputFile[],
  { root, out }: Project,
): string | undefined {
  for (const [, file = '', line, column] of stack.matchAll(/([\w.-]+\.js):(\d+):(\d+)/g)) {
    const map = sourceMaps.find(({ path }) => basename(path) === `${file}.map`)
    if (map === undefined) continue
    const origin = new SourceMap(JSON.parse(map.text)).findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) continue
    const source = resolve(out, origin.fileName)
    if (source.startsWith(helve) || source.includes('node_modules')) continue
    return `${toRelative(root, source)}:${origin.lineNumber}:${origin.columnNumber}`
  }
  return undefined
}
