import type { Change, Key } from '../../backends/table/port.ts'
import type { KeyRecord } from '../accounts/api-keys.ts'
import type { CliqueRecord } from '../accounts/clique.ts'
import type { CompanyRecord } from '../accounts/companies.ts'
import type { UserRecord } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import type { JobRecord } from '../jobs/job.ts'
import type { MediaRecord, Tombstone } from '../media/media.ts'
import type { FolderRecord } from '../tree/folder.ts'

/** A record as it is stored. Who made its last change is not known of one that an earlier version wrote. */
type Stored<Content> = Key & Content & { by?: Actor }

/** The records of whose changes events tell, by their kinds. */
export interface Records {
  media: Stored<MediaRecord>
  tombstone: Stored<Tombstone>
  folder: Stored<FolderRecord>
  clique: Stored<CliqueRecord>
  user: Stored<UserRecord>
  company: Stored<CompanyRecord>
  apiKey: Stored<KeyRecord>
  job: Stored<JobRecord>
}

export type RecordKind = keyof Records

/** Which keys the records of a kind have: this sort key, or one that begins so, in all partitions or in those that begin so. */
export interface KeyPattern {
  pk?: { prefix: string }
  sk: string | { prefix: string }
}

export const recordKeys: Readonly<Record<RecordKind, KeyPattern>> = {
  media: { sk: 'MEDIA' },
  tombstone: { sk: 'TOMBSTONE' },
  folder: { pk: { prefix: 'COMPANY#' }, sk: { prefix: 'FOLDER#' } },
  clique: { sk: 'CLIQUE' },
  user: { sk: 'USER' },
  company: { sk: 'COMPANY' },
  apiKey: { sk: 'KEY' },
  job: { sk: 'JOB' },
}

/** Whether a change is one of a record of this kind. */
export function isChangeOf<Kind extends RecordKind>(kind: Kind, change: Change): change is Change<Records[Kind]> {
  const { pk, sk } = recordKeys[kind]
  const { key } = change
  return (typeof sk === 'string' ? key.sk === sk : key.sk.startsWith(sk.prefix)) && (pk === undefined || key.pk.startsWith(pk.prefix))
}
