import type { Clock } from '../../backends/clock/port.ts'
import type { Reading } from '../library.ts'
import { reservationsOf, type UploadReservation, uploadIdOfReservation } from '../shares/upload-reservations.ts'
import type { PartUploadRecord } from './part-upload.ts'
import { type UploadRecord, uploadKey } from './uploads.ts'

/** An upload that somebody sends by a share link, and its reservation there. */
export interface SharedUpload {
  upload: UploadRecord | PartUploadRecord
  reservation: UploadReservation
}

/** The open uploads of a share link, those that end first before the others. Checks no rights. */
export async function sharedUploads(library: Reading & { clock: Clock }, shareId: string): Promise<SharedUpload[]> {
  const reservations = new Map((await reservationsOf(library, shareId)).map((each) => [uploadIdOfReservation(each), each]))
  const uploads = await library.table.getMany<UploadRecord>([...reservations.keys()].map(uploadKey))
  return uploads
    .filter(({ mediaId, hasEnded }) => mediaId === undefined && !hasEnded)
    .map((upload) => ({ upload, reservation: reservations.get(upload.uploadId)! }))
    .sort((one, other) => one.upload.expires - other.upload.expires)
}
