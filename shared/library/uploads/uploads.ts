import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectReader } from '../../backends/objects/port.ts'
import { ConditionFailed, type Key, type Operation, type Table } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { findUser } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import { Conflict, Forbidden, NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading } from '../library.ts'
import { fileCreation } from '../media/importing.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { uploadedFilename } from './filename.ts'

/** Seconds in which the form must be posted; role credentials that sign it may not live longer. */
const FORM_SECONDS = 3600
/** Seconds in which an upload can be finalized. */
const UPLOAD_SECONDS = 86_400
/** Seconds for which it is remembered: the sweep must know what became of it. */
const RECORD_SECONDS = 16 * 86_400

/** A registered upload. Its id is the secret that authorises finalizing it. */
export type UploadRecord = Key & {
  uploadId: string
  companyId: CompanyId
  folderId: FolderId
  userId: UserId
  redirectUrl?: string
  /** Set by finalizing. */
  mediaId?: MediaId
  /** Until when it can be finalized, in UNIX seconds. Absent in records of earlier versions, which end with that. */
  expires?: number
  ttl: number
}

export const uploadKey = (uploadId: string): Key => ({ pk: `UPLOAD#${uploadId}`, sk: 'UPLOAD' })

/** Objects of an upload have this prefix in the `uploads` bucket. */
export const objectPrefix = (uploadId: string) => `${uploadId}/`

/** The upload that an object of the `uploads` bucket is of. */
export const uploadIdOf = (key: string): string => key.replace(/\/.*$/s, '')

/** Until when an upload can be finalized, in UNIX seconds. */
export const endOf = ({ expires, ttl }: UploadRecord): number => expires ?? ttl

/**
 * Registers an upload to a folder, which needs UPLOAD there, in a CDN folder READ and WRITE.
 * @returns where the file must land, and until when (UNIX milliseconds)
 * @throws NotFound, Forbidden
 */
export async function registerUpload(
  { table, clock, access }: { table: Table; clock: Clock; access: Access<UserCaller> },
  folderId: FolderId,
  redirectUrl: string | undefined,
): Promise<{ uploadId: string; keyPrefix: string; expires: number }> {
  const { companyId } = await folderForUploads(access, folderId)
  const { userId } = access.caller.user
  const { uploadId } = await putUpload({ table, clock }, { companyId, folderId, userId, redirectUrl })
  return { uploadId, keyPrefix: objectPrefix(uploadId), expires: clock.now() + FORM_SECONDS * 1000 }
}

/** Makes the record of an upload that begins now. Rights are the caller's to check. */
export async function putUpload(
  { table, clock }: { table: Table; clock: Clock },
  given: Pick<UploadRecord, 'companyId' | 'folderId' | 'userId' | 'redirectUrl'>,
): Promise<UploadRecord> {
  const uploadId = randomBytes(32).toString('base64url')
  const now = Math.floor(clock.now() / 1000)
  const times = { expires: now + UPLOAD_SECONDS, ttl: now + RECORD_SECONDS }
  const record: UploadRecord = { ...uploadKey(uploadId), uploadId, ...given, ...times }
  await table.put(record)
  return record
}

/** The operation that notes of which file an upload is. It fails when it is of one already, or gone. @param remove attributes that it needs no more */
export const finalization = (uploadId: string, mediaId: MediaId, remove: readonly string[] = []): Operation => ({
  update: uploadKey(uploadId),
  changes: { set: { mediaId }, remove },
  if: { pk: { exists: true }, mediaId: { exists: false }, hasEnded: { exists: false } },
})

/**
 * Why a file may not be posted to a key, in a sentence; undefined where it may. A form is good for an hour, its upload only until it is
 * finalized, and for one file. S3 can't ask; there the sweep (sweep.ts) removes what was posted in vain.
 */
export async function whyNotPosted(
  { table, uploads }: Reading & { uploads: Pick<ObjectReader, 'list'> },
  key: string,
): Promise<string | undefined> {
  const uploadId = uploadIdOf(key)
  const upload = await table.get<UploadRecord>(uploadKey(uploadId))
  if (!upload) return 'There is no such upload.'
  if (upload.mediaId !== undefined) return 'This upload is finalized. Register another one.'
  const { objects } = await uploads.list(objectPrefix(uploadId), { limit: 2 })
  if (objects.some((object) => object.key !== key)) return 'Another file was posted for this upload. Register another one.'
  return undefined
}

interface Finalizing {
  table: Table
  uploads: ObjectReader
  clock: Clock
  requestId: string
}

/**
 * Makes a file of what was posted, in the name of the user who registered the upload; any number of times, always the same one. The committed
 * record starts its import.
 * @param objectKey where storage says the file landed
 * @throws NotFound for an unknown or outdated id and for a folder deleted meanwhile, Forbidden when the right to upload was withdrawn meanwhile,
 *   Conflict when nothing was posted yet
 */
export async function finalizeUpload(
  library: Finalizing,
  uploadId: string,
  objectKey: string | undefined,
): Promise<{ mediaId: MediaId; redirectUrl?: string }> {
  const { table, clock, requestId } = library
  const upload = await findUpload(library, uploadId)
  const { redirectUrl } = upload
  if (upload.mediaId !== undefined) return { mediaId: upload.mediaId, redirectUrl }
  const posted = await postedKey(library, uploadId, objectKey)
  if (posted === undefined) throw new Conflict('No file has been posted for this upload yet.', 'nothing_uploaded')
  const folder = await stillAllowed(library, upload)
  const { companyId, userId: uploadedBy } = upload
  const by: Actor = { kind: 'user', userId: uploadedBy, requestId }
  const file = { companyId, uploadedBy, filename: uploadedFilename(posted.slice(objectPrefix(uploadId).length)), uploadKey: posted }
  try {
    const created = await withFreshId(async (mediaId: MediaId) => {
      await table.transact({ ...fileCreation({ clock, by }, { mediaId, ...file }, folder), upload: finalization(uploadId, mediaId) })
      return mediaId
    })
    return { mediaId: created, redirectUrl }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // Another request finalized it at the same moment: that one has made the file.
    const { mediaId } = await findUpload(library, uploadId)
    if (mediaId === undefined) throw error
    return { mediaId, redirectUrl }
  }
}

/** What was allowed at registering may have been withdrawn since. @returns the folder as it is now @throws NotFound, Forbidden */
export async function stillAllowed({ table }: Reading, { userId, folderId }: UploadRecord): Promise<FolderRecord> {
  const user = await findUser({ table }, userId)
  if (!user || user.disabled) throw new Forbidden('Whoever registered this upload may not upload any more.')
  return folderForUploads(new Access(table, { kind: 'user', user }), folderId)
}

/** A folder to which the caller may upload. @throws NotFound, Forbidden */
export async function folderForUploads(access: Access, folderId: FolderId): Promise<FolderRecord> {
  const folder = await access.folderWith('UPLOAD', folderId)
  await access.requirePublishing(folder)
  return folder
}

async function findUpload({ table, clock }: Pick<Finalizing, 'table' | 'clock'>, uploadId: string): Promise<UploadRecord> {
  const upload = /^[\w-]{43}$/.test(uploadId) ? await table.get<UploadRecord>(uploadKey(uploadId)) : undefined
  // An upload in parts is completed by its user, not by who knows its id.
  if (!upload || 'parts' in upload || endOf(upload) * 1000 <= clock.now()) throw new NotFound('upload')
  return upload
}

/** The client may have lost or changed what storage appended to the redirect: only keys of this upload count. */
async function postedKey({ uploads }: Finalizing, uploadId: string, objectKey: string | undefined): Promise<string | undefined> {
  const prefix = objectPrefix(uploadId)
  if (objectKey?.startsWith(prefix) && (await uploads.head(objectKey))) return objectKey
  const { objects } = await uploads.list(prefix, { limit: 1 })
  return objects[0]?.key
}
