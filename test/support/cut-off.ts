/** A port whose calls fail once so many are used up, as those of a process that ends there. */
export function cutOffAfter<Port extends object>(calls: number, port: Port): Port {
  let left = calls
  return new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => (left-- > 0 ? value.apply(target, input) : Promise.reject(new Error('cut off')))
    },
  })
}
