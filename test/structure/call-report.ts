import type { MeasuredCall } from './measured-call.ts'

/** Writes down for people what a call ran. */
export function toReport(fixture: string, { frames, files }: MeasuredCall): string {
  const functions = files.reduce((sum, file) => sum + file.functions.length, 0)
  return [
    `${fixture}: ${frames.length} stack frames, ${files.length} files, ${functions} functions`,
    '  frames from fetch to run',
    ...frames.map(({ name, file }, index) => `    ${index + 1}. ${name}  ${file}`),
    '  files with functions and calls',
    ...files.map((file) => `    ${file.file}: ${toList(file.functions)}`),
    '',
  ].join('\n')
}

function toList(functions: MeasuredCall['files'][number]['functions']): string {
  return functions.map(({ name, calls }) => (calls === 1 ? name : `${name} x${calls}`)).join(', ')
}
