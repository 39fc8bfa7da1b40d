import type { CliqueId, CompanyId, FolderId, MediaId } from './ids.ts'

/** A walk through all folders of a removal, by id, that takes out their pointers. */
export interface Sweep {
  /** Folders up to this id are done. */
  after: number
  /** Whether it began late enough to find the pointers of all latecomers: then the records may go after it. */
  isLast: boolean
}

/** Every queue of the service and what its messages look like. Each gets a dead-letter queue with an alarm. */
export interface Messages {
  /** A finalized upload waits for import. */
  imports: { mediaId: MediaId }
  /** A folder was deleted: what it held is to be removed. Or a clique: its members are to be freed of it. */
  removals: { companyId: CompanyId; folderId: FolderId; sweep?: Sweep } | { companyId: CompanyId; cliqueId: CliqueId }
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
