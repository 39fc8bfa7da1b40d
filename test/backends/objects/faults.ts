import { cutOff, type Fault, lost, type Request, xmlRefusal } from '../../support/aws/faults/fault.ts'
import type { FaultPlan } from '../../support/aws/faults/faulty-endpoint.ts'

/** What S3 does now and then and no emulator ever. */

/** The answers to one operation are lost, or never come, in all attempts of a client but its last. */
export function lostAnswers(operation: string, fault: Fault): FaultPlan {
  return (asked, request) => (asked === operation && !isLastAttempt(request) ? fault : undefined)
}

/** The SDK tells which attempt a request is: `attempt=2; max=3`. */
function isLastAttempt({ headers }: Request): boolean {
  const [, attempt, max] = /attempt=(\d+); max=(\d+)/.exec(String(headers['amz-sdk-request'])) ?? []
  return max !== undefined && Number(max) > 1 && attempt === max
}

/** The answer to the end of an upload is lost, and who asks again is told that there is no such upload. */
export function forgottenUpload(): FaultPlan {
  let ended = false
  const forget: Fault = (request, forward) => {
    // The emulator refuses a checksum of the whole. The request without it ends the upload.
    if (request.headers['x-amz-checksum-crc32']) return forward(request)
    if (ended) return xmlRefusal(404, 'NoSuchUpload')(request, forward)
    ended = true
    return lost(request, forward)
  }
  return (operation) => (operation === 'CompleteMultipartUpload' ? forget : undefined)
}

/** S3 knows nothing of uploads that are to be ended. */
export const unknownUploads: FaultPlan = (operation) =>
  operation === 'CompleteMultipartUpload' ? xmlRefusal(404, 'NoSuchUpload') : undefined

/** Just before S3 begins the copy that `operation` is, `meanwhile` happens, once. */
export function before(operation: string, meanwhile: () => Promise<unknown>): FaultPlan {
  let happened: Promise<unknown> | undefined
  const late: Fault = async (request, forward) => {
    happened ??= meanwhile()
    await happened
    return forward(request)
  }
  return (asked) => (asked === operation ? late : undefined)
}

/** Bodies of objects break off. */
export const brokenBodies: FaultPlan = (operation) => (operation === 'GetObject' ? cutOff : undefined)

/** S3 takes no more of some operations, or of all. */
export function outage(of: (operation: string) => boolean = () => true): FaultPlan {
  return (operation) => (of(operation) ? xmlRefusal(503, 'SlowDown') : undefined)
}
