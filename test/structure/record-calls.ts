import { parseAst } from 'vite'

/** A function of a script: its name, its place there, and the function around it. */
export interface FoundFunction {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly body: Node
  /** The index of the function around it; -1 where there is none. */
  readonly around: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

// on one line, so that a stack has few lines to add
const recorder =
  'globalThis.recordedCalls = []; const recordCall = (index) => ' +
  "{ recordedCalls.push({ index, stack: new Error('call').stack }) };"

/**
 * Makes every function of a script record its calls: `recordedCalls` on `globalThis` has the index and
 * the stack of each. workerd answers the inspector's `Profiler.enable` itself, so that V8's coverage cannot
 * be had there; and a stack taken in `run` ends at the first promise that nothing awaits.
 */
export function recordCalls(script: string): string {
  const insertions = findFunctions(script).flatMap(({ body }, index) => {
    const record = `recordCall(${index})`
    if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: `${record};` }]
    return [
      { at: body.start, text: `(${record}, ` },
      { at: body.end, text: ')' },
    ]
  })
  let text = `${recorder}\n`
  let from = 0
  for (const { at, text: added } of insertions.toSorted((one, other) => one.at - other.at)) {
    text += script.slice(from, at) + added
    from = at
  }
  return text + script.slice(from)
}

/** Finds the functions of a script, each after the one around it. Recording does not change the order. */
export function findFunctions(script: string): readonly FoundFunction[] {
  const functions: FoundFunction[] = []
  const from = script.startsWith(recorder) ? recorder.length : 0
  walk(
    parseAst(script).body.filter(({ start }) => start >= from),
    '',
    -1,
    functions,
  )
  return functions
}

function walk(value: unknown, name: string, around: number, found: FoundFunction[]): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, name, around, found)
    return
  }
  if (!isNode(value)) return
  const ownName = nameOf(value['id']) ?? nameOf(value['key']) ?? name
  // a declaration, a property and a method have the name of the function that is their value
  const isNamed = ['VariableDeclarator', 'Property', 'MethodDefinition'].includes(value.type)
  const { body, start, end } = value
  let inner = around
  if (isFunction(value) && isNode(body)) {
    inner = found.length
    found.push({ name: ownName || '(anonymous)', start, end, body, around })
  }
  for (const child of Object.values(value)) walk(child, isNamed ? ownName : '', inner, found)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isFunction({ type }: Node): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)
}

function nameOf(value: unknown): string | null {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : null
}
