import { maskCode } from './code-mask.ts'
import { toLineEnd } from './toml-edit.ts'

/**
 * Lets a main module export classes of its Worker; `null` if it does not call createWorker in a way that
 * has one safe place for them.
 */
export function addWorkerExports(text: string, names: readonly string[]): string | null {
  const masked = maskCode(text)
  const newline = toLineEnd(text)
  const [list, ...others] = masked.matchAll(/^export\s+const\s*\{([^{}]*)\}\s*=\s*[\w$]+/gm)
  if (others.length > 0) return null
  if (list !== undefined) {
    const [all, inner = ''] = list
    const known = new Set(inner.split(',').map((name) => name.trim()))
    const added = names.filter((name) => !known.has(name))
    const end = list.index + all.indexOf('{') + 1 + inner.trimEnd().replace(/,$/, '').length
    return `${text.slice(0, end)}${added.map((name) => `, ${name}`).join('')}${text.slice(end)}`
  }
  const line = (worker: string): string => `export const { ${names.join(', ')} } = ${worker}`
  const [, worker] =
    /^(?:export\s+)?const\s+([\w$]+)\s*(?::[^=]*)?=\s*createWorker\s*\(/m.exec(masked) ?? []
  const exported = /^export\s+default\s+/m.exec(masked)
  if (exported === null) return null
  if (worker !== undefined) {
    return `${text.slice(0, exported.index)}${line(worker)}${newline}${text.slice(exported.index)}`
  }
  const direct = /^export\s+default\s+(?=createWorker\s*\()/m.exec(masked)
  if (direct === null || /\bworker\b/.test(masked)) return null
  const end = direct.index + direct[0].length
  return [
    `${text.slice(0, direct.index)}const worker = ${text.slice(end).trimEnd()}`,
    `${line('worker')}${newline}export default worker${newline}`,
  ].join(newline + newline)
}
