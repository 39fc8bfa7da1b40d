import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectEntry, ObjectReader } from '../../backends/objects/port.ts'
import { ConditionFailed, type Key, type Operation, type Table } from '../../backends/table/port.ts'
import type { CompanyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { findUser } from '../accounts/users.ts'
import { byRequest, type UserActor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Forbidden, NotFound, QuotaExceeded } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import type { Expecting } from '../media/find.ts'
import { fileCreation } from '../media/importing.ts'
import { HELD_SECONDS, makeOrHold } from '../quota/hold.ts'
import { reserve } from '../quota/quota.ts'
import { noSuchLink, passwordMark, passwordRequired, type ShareRecord, sourceOf } from '../shares/share.ts'
import {
  extendReservation,
  noteArrived,
  reservationRefused,
  reservationUsed,
  reserveUpload,
  type ShareLimits,
} from '../shares/upload-reservations.ts'
import { accessBy } from '../shares/visit.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { companyFor, type Destination, folderForUploads, type IntoFolder } from './destination.ts'
import { uploadedFilename } from './filename.ts'

/** Lifetime of a form in seconds. Role credentials that sign it may not live longer. */
const FORM_SECONDS = 3600
/** Lifetime of an upload in seconds: it can be finalized until then. */
const UPLOAD_SECONDS = 86_400
/** Lifetime of its record in seconds, which the sweep needs. */
const RECORD_SECONDS = 16 * 86_400

/** A registered upload. Its id is a secret, which authorises finalizing. */
export type UploadRecord = Upload & Destination

type Upload = Key & {
  uploadId: string
  companyId: CompanyId
  userId: UserId
  redirectUrl?: string
  /** Its share link. Then its user is the link's maker. */
  shareId?: string
  /** Digest of the secret in the link's address when it began. With another address it has ended. */
  secretHash?: string
  /** Digest of the link's password at the registration. Absent where it had none. */
  passwordMark?: string | undefined
  /** The file, once finalized. */
  mediaId?: MediaId
  /** Whether the file had these bytes, and stayed as it was. */
  unchanged?: true
  /** Whether it was given up, or its time is over. */
  hasEnded?: boolean
  /** End in UNIX seconds. */
  expires: number
  ttl: number
}

export const uploadKey = (uploadId: string): Key => ({ pk: `UPLOAD#${uploadId}`, sk: 'UPLOAD' })

/** Objects of an upload have this prefix in the `uploads` bucket. */
export const objectPrefix = (uploadId: string) => `${uploadId}/`

/** The upload that an object of the `uploads` bucket is of. */
export const uploadIdOf = (key: string): string => key.replace(/\/.*$/s, '')

/** A share link that takes uploads, and the limits of links. */
export type SendingShare = Pick<ShareRecord, 'shareId' | 'secretHash' | 'passwordHash'> & { limits: ShareLimits }

/**
 * Registers an upload.
 * @param share the upload's share link, with the sender's network address; `redirectUrl` is for users
 * @returns the file's destination, the end (UNIX milliseconds), and the link's remaining bytes
 * @throws what `companyFor` throws, Conflict `share_full`
 */
export async function registerUpload(
  library: { table: Table; clock: Clock; access: Access<UserCaller> } & Expecting,
  destination: Destination,
  { redirectUrl, share }: { redirectUrl?: string | undefined; share?: SendingShare & { sourceAddress: string } },
): Promise<{ uploadId: string; keyPrefix: string; expires: number; maxBytes: number }> {
  const { table, clock, access } = library
  const companyId = await companyFor(library, destination)
  const { userId } = access.caller.user
  const byLink = share && { shareId: share.shareId, secretHash: share.secretHash, passwordMark: passwordMark(share) }
  const record = newUpload({ clock }, { ...destination, companyId, userId, redirectUrl, ...byLink })
  const { uploadId, expires } = record
  let maxBytes = Number.POSITIVE_INFINITY
  if (share) {
    const { shareId, limits, sourceAddress } = share
    const sent = { shareId, uploadId, source: sourceOf(shareId, sourceAddress), bytes: 0, expires }
    maxBytes = await reserveUpload({ table, clock, limits }, sent, { upload: { put: record } })
  } else await table.put(record)
  return { uploadId, keyPrefix: objectPrefix(uploadId), expires: clock.now() + FORM_SECONDS * 1000, maxBytes }
}

/** Creates the record of an upload that begins now. The caller checks rights. */
export async function putUpload({ table, clock }: { table: Table; clock: Clock }, given: GivenUpload): Promise<UploadRecord> {
  const record = newUpload({ clock }, given)
  await table.put(record)
  return record
}

type GivenUpload = Pick<Upload, 'companyId' | 'userId' | 'redirectUrl' | 'shareId' | 'secretHash' | 'passwordMark'> & Destination

function newUpload({ clock }: { clock: Clock }, given: GivenUpload): UploadRecord & { expires: number } {
  const uploadId = randomBytes(32).toString('base64url')
  const now = Math.floor(clock.now() / 1000)
  return { ...uploadKey(uploadId), uploadId, ...given, expires: now + UPLOAD_SECONDS, ttl: now + RECORD_SECONDS }
}

/** What became of an upload. */
export type Finalized = Required<Pick<Upload, 'mediaId'>> & Pick<Upload, 'unchanged'>

/** The operation that records what became of an upload. Fails when that is known already, or the upload is gone or has ended. */
export const finalization = (uploadId: string, finalized: Finalized): Operation => ({
  update: uploadKey(uploadId),
  changes: { set: finalized },
  if: { pk: { exists: true }, mediaId: { exists: false }, hasEnded: { exists: false } },
})

/**
 * Why a file may not be posted to a key, in a sentence; undefined where it may. A form expires after an hour, and takes one file until its upload is
 * finalized. S3 can't ask, so there the sweep (sweep.ts) removes extra files.
 */
export async function whyNotPosted(
  { table, uploads }: Reading & { uploads: Pick<ObjectReader, 'list'> },
  key: string,
): Promise<string | undefined> {
  const uploadId = uploadIdOf(key)
  const upload = await table.get<UploadRecord>(uploadKey(uploadId))
  if (!upload) return 'There is no such upload.'
  if (upload.mediaId !== undefined) return 'This upload is finalized. Register another one.'
  if (upload.hasEnded) return 'This upload was given up. Register another one.'
  const { objects } = await uploads.list(objectPrefix(uploadId), { limit: 2 })
  if (objects.some((object) => object.key !== key)) return 'Another file was posted for this upload. Register another one.'
  return undefined
}

/** Dependencies of what finalizes uploads of forms. */
export interface Finalizing {
  table: Table
  uploads: ObjectReader
  clock: Clock
  requestId: string
  sourceAddress: string
  /** The request's share link. */
  share?: SendingShare
}

/**
 * A registered upload of a form.
 * @throws NotFound for an unknown or outdated id and for one of another link, and Forbidden `password_required` when the link has another password
 */
export async function registeredUpload(library: Omit<Finalizing, 'uploads'>, uploadId: string): Promise<UploadRecord> {
  const { share } = library
  const upload = await findUpload(library, uploadId)
  if (upload.shareId !== share?.shareId || upload.secretHash !== share?.secretHash) throw new NotFound('upload')
  // Redirects from storage carry no cookie. The password was checked when the form was registered.
  if (share && upload.passwordMark !== passwordMark(share)) throw passwordRequired()
  return upload
}

/** Who finalizes an upload of a form: the user who registered it. */
export const finalizedBy = (request: Finalizing, { userId, shareId }: UploadRecord): UserActor => ({
  ...{ kind: 'user', userId },
  ...(shareId !== undefined && { shareId }),
  ...byRequest(request),
})

/**
 * Finalizes an upload into a folder.
 * @throws what `registeredUpload` and `finalizeIntoFolder` throw
 */
export async function finalizeUpload(library: Finalizing, uploadId: string, objectKey: string | undefined): Promise<MediaId> {
  const upload = await registeredUpload(library, uploadId)
  if ('replaces' in upload) throw new NotFound('upload')
  return finalizeIntoFolder(library, upload, objectKey)
}

/**
 * Makes a file of what was posted, in the name of the user who registered the upload. Idempotent: always returns the same file. The committed record
 * starts its import.
 * @param objectKey key of the file, as storage reports it
 * @throws NotFound for a folder deleted meanwhile, Forbidden when the right to upload was withdrawn meanwhile, Conflict when nothing was posted yet,
 * QuotaExceeded when the file is held; by a link TooLarge, Conflict `share_full`
 */
export async function finalizeIntoFolder(
  library: Finalizing,
  upload: UploadRecord & IntoFolder,
  objectKey: string | undefined,
): Promise<MediaId> {
  const { share } = library
  const { uploadId, expires } = upload
  if (upload.mediaId !== undefined) return upload.mediaId
  const posted = await postedFile(library, uploadId, objectKey)
  const making = { ...library, by: finalizedBy(library, upload) }
  const lifetime = { expires: Math.floor(library.clock.now() / 1000) + HELD_SECONDS }
  if (share) await noteArrived({ ...library, limits: share.limits }, { uploadId, shareId: share.shareId }, { bytes: posted.bytes, expires })
  const make = () => keptIfHeld(making, upload, lifetime.expires, () => makePostedFile(making, upload, posted))
  return makeOrHold(making, { ...upload, ...posted }, lifetime, make)
}

/**
 * Makes a file of what was posted for an upload.
 * @throws NotFound, Forbidden, and QuotaExceeded, without holding the upload
 */
export async function makePostedFile(library: Writing, upload: UploadRecord & IntoFolder, { key, bytes }: PostedFile): Promise<MediaId> {
  const { table } = library
  const { uploadId, companyId, userId: uploadedBy, shareId } = upload
  const folder = await stillAllowed(library, upload)
  const file = {
    companyId,
    uploadedBy,
    filename: uploadedFilename(key.slice(objectPrefix(uploadId).length)),
    uploadKey: key,
    ...sentBy(upload),
  }
  const make = async () => {
    const room = await reserve(library, { ...upload, bytes })
    return withFreshId(async (mediaId: MediaId) => {
      const completion = {
        upload: finalization(uploadId, { mediaId }),
        ...room,
        ...(shareId !== undefined && reservationUsed({ shareId, uploadId, bytes })),
      }
      await table.transact({ ...fileCreation(library, { mediaId, ...file }, folder), ...completion })
      return mediaId
    })
  }
  try {
    return await retryOnConflict(make, hasLostRoom)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // A concurrent request has made the file.
    const mediaId = (await table.get<UploadRecord>(uploadKey(uploadId)))?.mediaId
    if (mediaId !== undefined) return mediaId
    throw reservationRefused(error) ? noSuchLink() : error
  }
}

/** Lets an upload by a link keep its room there as long as the quota may hold it. @param expires end of that, in UNIX seconds */
export async function keptIfHeld<T>(
  { table }: Pick<Writing, 'table'>,
  { shareId, uploadId }: Pick<UploadRecord, 'shareId' | 'uploadId'>,
  expires: number,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof QuotaExceeded && shareId !== undefined)
      await extendReservation(table.origin ?? table, { shareId, uploadId }, expires)
    throw error
  }
}

/** Attributes of a file's record for its share link. */
export const sentBy = ({ shareId }: UploadRecord) => (shareId === undefined ? {} : { uploadedVia: shareId })

/** Whether a concurrent request released this upload's room. */
export const hasLostRoom = (error: Error): boolean => error instanceof ConditionFailed && error.failed('reserved')

/** Checks the rights again, which may have been withdrawn since the registration. @returns the current folder @throws NotFound, Forbidden */
export async function stillAllowed(
  { table, clock }: Pick<Writing, 'table' | 'clock'>,
  upload: UploadRecord & IntoFolder,
): Promise<FolderRecord> {
  const { folderId, shareId, secretHash } = upload
  // Once a link has ended, or has another address, its open uploads can't become files.
  const access = shareId === undefined ? await accessOf({ table }, upload) : await accessBy({ table, clock }, { shareId, secretHash })
  return folderForUploads(access, folderId)
}

/** The rights that the user of an upload has now. @throws Forbidden when they are disabled */
export async function accessOf({ table }: Reading, { userId }: UploadRecord): Promise<Access<UserCaller>> {
  const user = await findUser({ table }, userId)
  if (!user || user.disabled) throw new Forbidden('Whoever registered this upload may not upload any more.')
  return new Access(table, { kind: 'user', user })
}

async function findUpload({ table, clock }: Pick<Finalizing, 'table' | 'clock'>, uploadId: string): Promise<UploadRecord> {
  const upload = /^[\w-]{43}$/.test(uploadId) ? await table.get<UploadRecord>(uploadKey(uploadId)) : undefined
  // An upload in parts must be completed by its user: its id is no secret.
  if (!upload || 'parts' in upload || upload.hasEnded || upload.expires * 1000 <= clock.now()) throw new NotFound('upload')
  return upload
}

/** A posted file. */
export type PostedFile = Pick<ObjectEntry, 'key' | 'bytes'>

/** Clients may lose or forge the parameters of storage's redirect, so only keys of this upload count. @throws Conflict */
export async function postedFile({ uploads }: Pick<Finalizing, 'uploads'>, uploadId: string, objectKey?: string): Promise<PostedFile> {
  const prefix = objectPrefix(uploadId)
  const named = objectKey?.startsWith(prefix) ? await uploads.head(objectKey) : undefined
  if (named) return named
  const [posted] = (await uploads.list(prefix, { limit: 1 })).objects
  if (!posted) throw new Conflict('No file has been posted for this upload yet.', 'nothing_uploaded')
  return posted
}
