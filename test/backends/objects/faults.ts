import { cutOff, dropped, type Fault, lost, type unanswered, xmlRefusal } from '../../support/aws/faults/fault.ts'
import type { FaultPlan } from '../../support/aws/faults/plan.ts'

/** What S3 does now and then and no emulator ever. */

const refused = [xmlRefusal(503, 'SlowDown'), xmlRefusal(500, 'InternalError'), xmlRefusal(503, 'ServiceUnavailable'), dropped]
/** S3 answers these before the work is done, with status 200, and may then fail. */
const answeredEarly = new Set(['CopyObject', 'UploadPartCopy', 'CompleteMultipartUpload'])
const failedLate = xmlRefusal(200, 'InternalError')

/** Everything whose repetition does not show. */
export function faultsThatDoNotShow(seed: string): FaultPlan {
  return {
    seed,
    rate: 0.15,
    faults: (operation) => [...refused, ...(answeredEarly.has(operation) ? [failedLate, failedLate] : []), lost, lost],
  }
}

/** The answers to one operation are lost, or never come, in its first attempts. */
export function lostAnswers(operation: string, fault: typeof lost | typeof unanswered): FaultPlan {
  return { seed: operation, rate: 0.999, faults: (asked) => (asked === operation ? [fault] : []) }
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
  return { seed: 'forgotten', rate: 1, faults: (operation) => (operation === 'CompleteMultipartUpload' ? [forget] : []) }
}

/** S3 knows nothing of uploads that are to be ended. */
export const unknownUploads: FaultPlan = {
  seed: 'unknown',
  rate: 1,
  faults: (operation) => (operation === 'CompleteMultipartUpload' ? [xmlRefusal(404, 'NoSuchUpload')] : []),
}

/** Just before S3 begins the copy that `operation` is, `meanwhile` happens, once. */
export function before(operation: string, meanwhile: () => Promise<unknown>): FaultPlan {
  let happened: Promise<unknown> | undefined
  const late: Fault = async (request, forward) => {
    happened ??= meanwhile()
    await happened
    return forward(request)
  }
  return { seed: 'before', rate: 1, faults: (asked) => (asked === operation ? [late] : []) }
}

/** Bodies of objects break off. */
export const brokenBodies: FaultPlan = { seed: 'bodies', rate: 1, faults: (operation) => (operation === 'GetObject' ? [cutOff] : []) }

/** S3 takes no more of some operations, or of all. */
export function outage(of: (operation: string) => boolean = () => true): FaultPlan {
  const slowDown: Fault[] = [xmlRefusal(503, 'SlowDown')]
  return { seed: 'outage', rate: 1, faults: (operation) => (of(operation) ? slowDown : []) }
}
