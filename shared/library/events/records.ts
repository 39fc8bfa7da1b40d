import type { Change, Key } from '../../backends/table/port.ts'
import type { CliqueRecord } from '../accounts/clique.ts'
import type { UserRecord } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import type { BulkRecord } from '../bulk/bulk.ts'
import type { LogRecord } from '../downloads/log.ts'
import type { JobRecord } from '../jobs/job.ts'
import type { LinkRecord } from '../media/link.ts'
import type { MediaRecord, Tombstone } from '../media/media.ts'
import type { QuotaRecord } from '../quota/steps.ts'
import type { RemovedShare, ShareCounts, ShareRecord } from '../shares/share.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { VideoRecord } from '../videos/video.ts'
import type { ZipRecord } from '../zips/zip.ts'

/** A record as it is stored. Most say who made their last change. */
type Stored<Content> = Key & Content & { by?: Actor }

/** Kinds of records whose changes have events. */
export interface Records {
  media: Stored<MediaRecord>
  tombstone: Stored<Tombstone>
  folder: Stored<FolderRecord>
  clique: Stored<CliqueRecord>
  download: Stored<LogRecord>
  link: Stored<LinkRecord>
  zip: Stored<ZipRecord>
  share: Stored<ShareRecord>
  shareCounts: Stored<ShareCounts>
  removedShare: Stored<RemovedShare>
  bulk: Stored<BulkRecord>
  user: Stored<UserRecord>
  video: Stored<VideoRecord>
  job: Stored<JobRecord>
  quota: Stored<QuotaRecord>
}

export type RecordKind = keyof Records

/** The keys of a kind of record. Without `pk`: in all partitions. */
export interface KeyPattern {
  pk?: { prefix: string }
  sk: string | { prefix: string }
}

export const recordKeys: Readonly<Record<RecordKind, KeyPattern>> = {
  media: { sk: 'MEDIA' },
  tombstone: { sk: 'TOMBSTONE' },
  folder: { pk: { prefix: 'COMPANY#' }, sk: { prefix: 'FOLDER#' } },
  clique: { sk: 'CLIQUE' },
  // Sort keys begin with an ISO time, and so with the year.
  download: { pk: { prefix: 'DOWNLOADS#' }, sk: { prefix: '2' } },
  link: { sk: 'LINK' },
  zip: { sk: 'ZIP' },
  share: { sk: 'SHARE' },
  shareCounts: { sk: 'SHARE-COUNTS' },
  removedShare: { sk: 'SHARE-REMOVED' },
  bulk: { sk: 'BULK' },
  user: { sk: 'USER' },
  video: { sk: 'VIDEO' },
  job: { sk: 'JOB' },
  quota: { pk: { prefix: 'COMPANY#' }, sk: 'QUOTA' },
}

/** Whether a change is one of a record of this kind. */
export function isChangeOf<Kind extends RecordKind>(kind: Kind, change: Change): change is Change<Records[Kind]> {
  const { pk, sk } = recordKeys[kind]
  const { key } = change
  return (typeof sk === 'string' ? key.sk === sk : key.sk.startsWith(sk.prefix)) && (pk === undefined || key.pk.startsWith(pk.prefix))
}
