import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that what runs now follows from: every log line, job and e-mail carries it on. */
export type Trace = {
  /** Request id. */
  id: string
  /** W3C Trace Context, as the client sent it. */
  traceparent?: string
}

const current = new AsyncLocalStorage<Trace | undefined>()

/** Does work in the name of a request, or of none. */
export const traced = <T>(trace: Trace | undefined, work: () => T): T => current.run(trace, work)

/** The request that what runs now follows from. */
export const currentTrace = (): Trace | undefined => current.getStore()

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** @param traceparent header of the request; an invalid one counts as none */
export function traceOf(id: string, traceparent: string | undefined): Trace {
  return { id, ...(traceparent !== undefined && TRACEPARENT.test(traceparent) && { traceparent }) }
}
