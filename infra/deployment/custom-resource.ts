import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda'

/** What CloudFormation asks of a custom resource. */
export interface CustomResourceRequest {
  type: 'Create' | 'Update' | 'Delete'
  properties: Readonly<Record<string, unknown>>
}

/**
 * The Lambda handler of a custom resource. CloudFormation waits, for up to an hour, until an answer is put to the URL that it gave:
 * every outcome must end in one.
 * @param act does the work; what it returns are the resource's attributes, which are no place for secrets
 */
export function customResource(act: (request: CustomResourceRequest) => Promise<Record<string, string>>) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    // The same id for ever: a changed one would make CloudFormation take the update for a replacement and delete the old resource.
    const { RequestId, LogicalResourceId, StackId } = event
    const identity = { RequestId, LogicalResourceId, StackId, PhysicalResourceId: LogicalResourceId }
    const answer = await act({ type: event.RequestType, properties: event.ResourceProperties }).then(
      (Data): CloudFormationCustomResourceResponse => ({ ...identity, Status: 'SUCCESS', Data }),
      (error): CloudFormationCustomResourceResponse => ({ ...identity, Status: 'FAILED', Reason: String(error) }),
    )
    const sent = await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(answer) })
    if (!sent.ok) throw new Error(`CloudFormation did not take the answer: ${sent.status}`)
  }
}
