import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'

/** What Lambda gives a function whose answers stream. Here an answer is whole before it is told. */
const awslambda = {
  streamifyResponse:
    (handle: (event: unknown, output: PassThrough, context: object) => Promise<void>) => async (event: unknown, context: object) => {
      const output = new PassThrough()
      const [body] = await Promise.all([buffer(output), handle(event, output, context)])
      return { ...heads.get(output), body }
    },
  HttpResponseStream: {
    from(output: PassThrough, head: object) {
      heads.set(output, head)
      return output
    },
  },
}
const heads = new WeakMap<PassThrough, object>()
Object.assign(globalThis, { awslambda })

/** One function as Lambda runs it: its bundle in a thread, with its own environment and nothing else. */
const { handler } = await import(workerData)

parentPort!.on('message', async ({ id, event }: { id: number; event: unknown }) => {
  try {
    parentPort!.postMessage({ id, answer: await handler(event, {}) })
  } catch (error) {
    parentPort!.postMessage({ id, error: (error as Error).stack })
  }
})
