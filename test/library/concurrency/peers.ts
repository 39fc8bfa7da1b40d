import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { JobInput } from '../../../infra/local/jobs/run-job.ts'
import type { ApiRequest } from '../../support/api-event.ts'
import type { Place } from './place.ts'

/** Calls start up to so many milliseconds after each other, so that they meet in different places every time. */
const SPREAD = 4

/** What a process is asked for: an answer to a request, or to run a consumer; it may die, as by `kill -9`, when that comes to its n-th transaction. */
export type PeerCall = ApiRequest | { consumer: string; event: Omit<JobInput, 'by'>; diesAt?: number }

/** An order to a process. Its clock stands at `now`; it pauses so many milliseconds before it starts. */
export interface PeerOrder {
  id: number
  now: number
  pause: number
  call: PeerCall
}

/** What became of an order: an answer's status and JSON, or what a consumer threw. */
export interface PeerOutcome {
  id: number
  status?: number
  body?: unknown
  failure?: string
}

/** Another process of the service, on the same library. */
export interface Peer {
  /** Rejects when the process dies of it. */
  do(call: PeerCall): Promise<PeerOutcome>
  kill(): Promise<void>
}

/** Starts a process on a library. */
export async function startPeer(place: Place, clock: { now(): number }): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'peer-process.ts'), [JSON.stringify(place)])
  const waiting = new Map<number, PromiseWithResolvers<PeerOutcome>>()
  let orders = 0
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  child.on('message', (outcome: PeerOutcome) => {
    if (outcome.id === 0) return resolve()
    waiting.get(outcome.id)?.resolve(outcome)
    waiting.delete(outcome.id)
  })
  child.once('exit', () => {
    const gone = new Error('the process has ended')
    reject(gone)
    for (const { reject: fail } of waiting.values()) fail(gone)
  })
  await ready
  return {
    do(call) {
      const outcome = Promise.withResolvers<PeerOutcome>()
      const order: PeerOrder = { id: ++orders, now: clock.now(), pause: Math.random() * SPREAD, call }
      waiting.set(order.id, outcome)
      child.send(order)
      return outcome.promise
    },
    kill: () => kill(child),
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
