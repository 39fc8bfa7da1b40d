import { eventIdOf, type StoredEvent } from '../../shared/library/feed/event.ts'
import { isoTime } from '../../shared/library/time.ts'
import type { SentEvent } from '../../shared/library/webhooks/delivery.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'

/** An event as the feed and webhooks tell it. */
export function eventJson<Type extends string>({ id, type, created, actor, data }: SentEvent & { type: Type }) {
  const { mediaId, folderIds, version, fileNumber, folderId, parent, link, jobId, shareId, userId, percent, bytes, quotaBytes } = data
  return {
    ...{ id, type, created: isoTime(created) },
    actor: { user_id: actor.userId, key_id: actor.keyId },
    data: {
      ...{
        media_id: mediaId,
        folder_ids: folderIds,
        version,
        file_number: fileNumber,
        folder_id: folderId,
        parent,
        link,
        job_id: jobId,
        share_id: shareId,
        user_id: userId,
      },
      ...{ percent, bytes, quota_bytes: quotaBytes },
    },
  }
}

/** The same of an event of a company's feed, with the request that it follows from where the reader may know that. */
export function feedEventJson(companyId: CompanyId, { requestId, network, ...event }: StoredEvent) {
  return { ...eventJson({ ...event, id: eventIdOf(companyId, event.number) }), request_id: requestId, network }
}
