import { Worker } from 'node:worker_threads'

/** A function that runs as on Lambda: started at its first event, then kept. */
export interface RunningFunction {
  // biome-ignore lint/suspicious/noExplicitAny: what a function takes and gives is its own matter.
  invoke(event: unknown): Promise<any>
  stop(): Promise<void>
}

/**
 * @param bundle path of its `index.mjs`
 * @param environment all that it has
 * @param log takes what it writes
 */
export function runFunction(bundle: string, environment: Readonly<Record<string, string>>, log: (text: string) => void): RunningFunction {
  let worker: Worker | undefined
  let last = 0
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()

  function start(): Worker {
    const started = new Worker(new URL('./function-worker.ts', import.meta.url), {
      workerData: bundle,
      env: environment,
      stdout: true,
      stderr: true,
    })
    for (const output of [started.stdout, started.stderr]) output.setEncoding('utf8').on('data', log)
    started.on('message', ({ id, answer, error }) => {
      const { resolve, reject } = waiting.get(id)!
      waiting.delete(id)
      if (error === undefined) resolve(answer)
      else reject(new Error(error))
    })
    started.on('error', (error) => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    })
    return started
  }

  return {
    invoke(event) {
      worker ??= start()
      last += 1
      const result = Promise.withResolvers<unknown>()
      waiting.set(last, result)
      worker.postMessage({ id: last, event })
      return result.promise
    },
    async stop() {
      await worker?.terminate()
    },
  }
}
