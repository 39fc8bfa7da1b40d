import { type QueueName, queues } from '../../shared/backends/queue/queues.ts'
import type { NamedFunction } from '../../shared/events/consumer.ts'
import { grantsOf } from '../grants.ts'
import type { SearchEngineName } from '../search-engines.ts'

const isQueue = (name: string): name is QueueName => name in queues

/**
 * Names of the functions that may start themselves: by a message to their own queue, or by one to another function that answers with one.
 * Long work goes on so, run after run.
 */
export function loopingFunctions(functions: readonly NamedFunction[], engine?: SearchEngineName): ReadonlySet<string> {
  const consumersOf = (queue: QueueName) => functions.filter(({ trigger }) => 'queue' in trigger && trigger.queue === queue)
  const startedBy = ({ uses }: NamedFunction) => grantsOf(uses, engine).flatMap(({ name }) => (isQueue(name) ? consumersOf(name) : []))
  const isReached = (wanted: NamedFunction, from: NamedFunction, seen: Set<NamedFunction>): boolean =>
    startedBy(from).some((next) => next === wanted || (!seen.has(next) && isReached(wanted, next, seen.add(next))))
  return new Set(functions.filter((each) => isReached(each, each, new Set())).map(({ name }) => name))
}
