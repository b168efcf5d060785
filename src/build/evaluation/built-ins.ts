/*
 * A module that replaces JSON.stringify or adds to Object.prototype changes them for the build too,
 * which would then print nonsense. So this file uses only what it took before any module was loaded.
 */
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, defineProperty, deleteProperty } =
  Reflect
const { is } = Object
const toText = String

interface BuiltIn {
  readonly name: string
  readonly value: object
  readonly members: readonly Member[]
}

interface Member {
  readonly key: string | symbol
  readonly before: PropertyDescriptor
}

/** What JavaScript itself defines, as it is now. */
export class BuiltIns {
  readonly #all: readonly BuiltIn[] = findBuiltIns()

  /** Names what differs from the beginning, such as "JSON.stringify". */
  findChanges(): readonly string[] {
    const names: string[] = []
    this.#forEachChange((name) => {
      names[names.length] = name
    })
    return names
  }

  /** Puts back what modules have changed, and names what cannot be put back. */
  restore(): readonly string[] {
    const stuck: string[] = []
    this.#forEachChange((name, owner, key, before) => {
      const restored =
        before === undefined ? deleteProperty(owner, key) : defineProperty(owner, key, before)
      if (!restored) stuck[stuck.length] = name
    })
    return stuck
  }

  // by index, since modules may have changed how an array is iterated
  #forEachChange(
    report: (
      name: string,
      owner: object,
      key: string | symbol,
      before?: PropertyDescriptor,
    ) => void,
  ): void {
    for (let index = 0; index < this.#all.length; index += 1) {
      const builtIn = this.#all[index]
      if (builtIn === undefined) continue
      const { name, value, members } = builtIn
      for (let place = 0; place < members.length; place += 1) {
        const member = members[place]
        if (member === undefined) continue
        const { key, before } = member
        if (!isSame(before, getOwnPropertyDescriptor(value, key))) {
          report(toName(name, key), value, key, before)
        }
      }
      const keys = ownKeys(value)
      for (let place = 0; place < keys.length; place += 1) {
        const key = keys[place]
        if (key !== undefined && isHarmful(name, key) && !hasMember(members, key)) {
          report(toName(name, key), value, key)
        }
      }
    }
  }
}

function toName(owner: string, key: string | symbol): string {
  if (typeof key === 'symbol') return `${owner}[${toText(key.description)}]`
  return owner === 'globalThis' ? key : `${owner}.${key}`
}

/** Every object has what Object.prototype has, and JSON asks every object for `toJSON`. */
function isHarmful(name: string, key: string | symbol): boolean {
  return name === 'Object.prototype' || key === 'toJSON'
}

function hasMember(members: readonly Member[], key: string | symbol): boolean {
  for (let place = 0; place < members.length; place += 1) {
    if (members[place]?.key === key) return true
  }
  return false
}

function isSame(before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  return (
    now !== undefined &&
    is(before.value, now.value) &&
    before.get === now.get &&
    before.set === now.set
  )
}

// not those of the platform, such as URL, which workerd creates when they are first read
const globals = [
  'Array, BigInt, Boolean, Date, Error, Function, Iterator, JSON, Map, Math, Number, Object, Promise',
  'Proxy, RangeError, Reflect, RegExp, Set, String, Symbol, SyntaxError, TypeError, Uint8Array',
  'WeakMap, WeakSet',
]

function findBuiltIns(): readonly BuiltIn[] {
  const names = globals.flatMap((line) => line.split(', '))
  const named = names.flatMap((name): [string, unknown][] => {
    const value: unknown = Reflect.get(globalThis, name)
    const prototype: unknown = typeof value === 'function' ? value.prototype : undefined
    return [
      [name, value],
      [`${name}.prototype`, prototype],
    ]
  })
  const iterators = [[], new Map(), new Set(), ''].map((value): [string, unknown] => [
    'Iterator.prototype',
    getPrototypeOf(value[Symbol.iterator]()),
  ])
  const builtIns = [...named, ...iterators].flatMap(([name, value]) =>
    typeof value === 'object' || typeof value === 'function' ? toBuiltIn(name, value) : [],
  )
  const own = names.map((key) => toMember(globalThis, key))
  return [...builtIns, { name: 'globalThis', value: globalThis, members: own }]
}

function toBuiltIn(name: string, value: object | Function | null): readonly BuiltIn[] {
  if (value === null) return []
  return [{ name, value, members: ownKeys(value).map((key) => toMember(value, key)) }]
}

function toMember(owner: object, key: string | symbol): Member {
  return { key, before: getOwnPropertyDescriptor(owner, key) ?? {} }
}
