import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda'

import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type Backoff, backoff } from '../../../shared/backoff.ts'

/** A request of CloudFormation to a custom resource. */
export interface CustomResourceRequest {
  type: 'Create' | 'Update' | 'Delete'
  /** `Custom::…` */
  resourceType: string
  /** With `NoEcho: true` among them CloudFormation shows no attribute to anybody. */
  properties: Readonly<Record<string, unknown>>
  /** Of this request, also when it comes again. */
  requestId: string
  /** The resource's id; absent before it is made. */
  physicalId: string | undefined
}

/** Attempts to send an answer. */
const ATTEMPTS = 5
const PAUSES = { first: 1_000, longest: 8_000 }

/** Longest reason of a failure, in characters: CloudFormation takes an answer of 4 KB. */
const LONGEST_REASON = 1_000

/**
 * The Lambda handler of a custom resource. CloudFormation waits for the resource's `serviceTimeout` until the function puts an answer to a URL.
 * So every outcome, also a failure, must end in an answer.
 * @param act does the work and returns the resource's attributes, which everybody with access to the stack can read but for those of `NoEcho`
 * @param options.pauses between attempts to send the answer
 * @param options.idOf the id of a resource that is more than this function's work, by its attributes. It must stay: CloudFormation would take another id
 *   for a replacement, and delete the old resource
 */
export function customResource(
  act: (request: CustomResourceRequest) => Promise<Record<string, string>>,
  { pauses = PAUSES, idOf }: { pauses?: Backoff; idOf?: (attributes: Record<string, string>) => string | undefined } = {},
) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const { RequestId, LogicalResourceId, StackId, RequestType: type, ResourceType: resourceType, ResourceProperties: properties } = event
    const physicalId = 'PhysicalResourceId' in event ? event.PhysicalResourceId : undefined
    const identity = { RequestId, LogicalResourceId, StackId, PhysicalResourceId: physicalId ?? LogicalResourceId }
    // Properties arrive as strings.
    const masked = String(properties.NoEcho) === 'true' ? { NoEcho: true } : {}
    const answer = await act({ type, resourceType, properties, requestId: RequestId, physicalId }).then(
      (Data): CloudFormationCustomResourceResponse => {
        const id = physicalId ?? idOf?.(Data) ?? LogicalResourceId
        return { ...identity, PhysicalResourceId: id, Status: 'SUCCESS', Data, ...masked }
      },
      (error): CloudFormationCustomResourceResponse => ({
        ...identity,
        Status: 'FAILED',
        Reason: String(error).slice(0, LONGEST_REASON),
      }),
    )
    await sendAnswer(event.ResponseURL, answer, pauses)
  }
}

/** @throws Error when no attempt succeeds, so that Lambda runs the function again */
async function sendAnswer(url: string, answer: CloudFormationCustomResourceResponse, pauses: Backoff): Promise<void> {
  // Bytes, because `fetch` labels a string as text/plain, and the URL may be signed for an empty content type.
  const body = new TextEncoder().encode(JSON.stringify(answer))
  for (let attempt = 1; ; attempt++) {
    const failure = await fetch(url, { method: 'PUT', body }).then(
      ({ ok, status }) => (ok ? undefined : String(status)),
      (error) => String(error.cause ?? error),
    )
    if (failure === undefined) return
    if (attempt === ATTEMPTS) throw new Error(`CloudFormation did not take the answer: ${failure}`)
    await systemClock.sleep(backoff(attempt, pauses))
  }
}
