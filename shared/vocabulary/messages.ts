import type { CompanyId, MediaId } from './ids.ts'

/** Every queue of the service and what its messages look like. Each gets a dead-letter queue with an alarm. */
export interface Messages {
  /** A finalized upload waits for import. */
  imports: { mediaId: MediaId }
  /** What is stored of a video is to be brought to what its record says: something was asked for, or a transcoder's job has ended. */
  encodings: { companyId: CompanyId; mediaId: MediaId } | TranscoderEvent
  /** What SES tells of an e-mail that it sent, as EventBridge passes it on. Its consumer checks what it is. */
  mailEvents: unknown
}

/** What EventBridge passes on of MediaConvert: a job has ended. Its consumer checks what it is, and believes nothing but which video it is of. */
export interface TranscoderEvent {
  'detail-type': 'MediaConvert Job State Change'
  detail: { status: string; userMetadata: { companyId: string; mediaId: string } }
}

/** The group of a company's messages: companies take turns. */
export function companyGroup(companyId: CompanyId): string {
  return `company-${companyId}`
}
