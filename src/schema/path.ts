/** The steps from a value to one of its members: names of fields and indexes of items. */
export type Path = readonly (string | number)[]

const simpleName = /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u

/** Writes a path as people do: `items[2].price`, and `headers['x y']` where a name needs quotes. */
export function toPathText(path: Path): string {
  return path.map(toStepText).join('')
}

function toStepText(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`
  if (simpleName.test(step)) return index === 0 ? step : `.${step}`
  // JSON's escapes keep control characters and lone surrogates of a hostile name out of the text
  const quoted = JSON.stringify(step.slice(0, 64)).slice(1, -1).replaceAll("'", "\\'")
  return index === 0 ? quoted : `['${quoted}']`
}

/** The value at a path, or `undefined` where nothing is; inherited members do not count. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}
