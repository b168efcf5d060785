import type { EnvReads, Placeholders } from '../evaluated.ts'

/** The `env` of `cloudflare:workers`, as the modules of tools see it while the build loads them. */
export class ObservedEnv {
  readonly #placeholders: Placeholders
  readonly #reads = new Set<string>()
  readonly #missing = new Set<string>()

  constructor(placeholders: Placeholders) {
    this.#placeholders = placeholders
  }

  /** Returns an `env` that notes what is read from it. */
  observe(env: object): object {
    const { secrets, others } = this.#placeholders
    const stubs = others.map((name) => [name, createStub(name)])
    const all = { ...Object.fromEntries(stubs), ...env }
    const known = new Set([...Object.keys(secrets), ...others])
    const note = (key: string | symbol): void => {
      if (typeof key !== 'string') return
      if (known.has(key)) this.#reads.add(key)
      else if (!(key in all)) this.#missing.add(key)
    }
    return new Proxy(all, {
      get(target, key, receiver): unknown {
        note(key)
        return Reflect.get(target, key, receiver)
      },
      has(target, key) {
        note(key)
        return Reflect.has(target, key)
      },
    })
  }

  /** Returns what was read since the last time. */
  takeReads(): EnvReads {
    const reads = { placeholders: [...this.#reads], missing: [...this.#missing] }
    this.#reads.clear()
    this.#missing.clear()
    return reads
  }
}

/** Stands for any object: its members are stubs, and so is what they return. */
function createStub(name: string): object {
  const stub = (): object => createStub(name)
  return new Proxy(stub, {
    get(target, key): unknown {
      // a stub is not a promise, and prints as its name
      if (key === 'then') return undefined
      if (key === Symbol.toPrimitive) return () => name
      if (typeof key === 'symbol') return Reflect.get(target, key)
      return createStub(`${name}.${key}`)
    },
    apply: () => createStub(name),
    construct: () => createStub(name),
  })
}
