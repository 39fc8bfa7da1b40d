import { parentPort, workerData } from 'node:worker_threads'

/** One function as Lambda runs it: its bundle in a thread, with its own environment and nothing else. */
const { handler } = await import(workerData)

parentPort!.on('message', async ({ id, event }: { id: number; event: unknown }) => {
  try {
    parentPort!.postMessage({ id, answer: await handler(event, {}) })
  } catch (error) {
    parentPort!.postMessage({ id, error: (error as Error).stack })
  }
})
