/** A port of which some members are others. */
export function instead<Port extends object>(port: Port, others: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(name in others ? others : target, name)
      return typeof value === 'function' ? value.bind(name in others ? others : target) : value
    },
  })
}
