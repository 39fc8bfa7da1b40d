import type { CompanyId, MediaId } from './ids.ts'

/** Every queue of the service and what its messages look like. Each gets a dead-letter queue with an alarm. */
export interface Messages {
  /** A finalized upload waits for import. */
  imports: { mediaId: MediaId }
  /** What services of AWS tell, as EventBridge passes it on: ends of MediaConvert's jobs, e-mails that failed. Its consumer checks what it is. */
  serviceEvents: unknown
}

/** The group of a company's messages: companies take turns. */
export function companyGroup(companyId: CompanyId): string {
  return `company-${companyId}`
}
