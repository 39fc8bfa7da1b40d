import { dropped, type Fault, lost, refusal } from '../../support/aws/faults/fault.ts'
import type { FaultPlan } from '../../support/aws/faults/plan.ts'

/** What SQS does now and then and no emulator ever. */

const refused: Fault[] = [
  refusal(403, 'RequestThrottled'),
  refusal(400, 'ThrottlingException'),
  refusal(503, 'ServiceUnavailable'),
  refusal(500, 'InternalFailure'),
  dropped,
]
/** What is done again does no harm. A message sent again is there twice, one received again is hidden for a while. */
const repeatable = new Set(['DeleteMessage', 'ChangeMessageVisibility'])

/** Everything whose repetition does not show. */
export function faultsThatDoNotShow(seed: string): FaultPlan {
  return { seed, rate: 0.2, faults: (operation) => [...refused, ...(repeatable.has(operation) ? [lost, lost] : [])] }
}

/** Everything to everything, lost answers above all. */
export function everyFault(seed: string): FaultPlan {
  return { seed, rate: 0.4, faults: () => [...refused, lost, lost, lost, lost] }
}

/** One answer to an operation is lost. */
export function firstAnswerLost(operation: string): FaultPlan {
  let first = true
  return {
    seed: operation,
    rate: 1,
    faults(asked) {
      if (asked !== operation || !first) return []
      first = false
      return [lost]
    },
  }
}

/** SQS is down. */
export const outage: FaultPlan = { seed: 'outage', rate: 1, faults: () => [refusal(503, 'ServiceUnavailable')] }
