/** Goes on with a value: at once where it is there, since every promise takes turns of its own. */
export function follow<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
