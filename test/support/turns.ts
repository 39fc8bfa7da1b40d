import type fc from 'fast-check'

/** Makes ports whose calls wait for their turn: the scheduler says in which order calls of runs at the same time go on. */
export function turnsOf(scheduler: fc.Scheduler): <Port extends object>(port: Port) => Port {
  return (port) =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...input: unknown[]) => {
          await scheduler.schedule(Promise.resolve(), String(name))
          return value.apply(target, input)
        }
      },
    })
}
