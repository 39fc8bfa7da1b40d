import type { Clock } from '../../backends/clock/port.ts'
import type { Reading } from '../library.ts'
import { type Room, roomsOf, uploadIdOfRoom } from '../shares/room.ts'
import type { PartUploadRecord } from './part-upload.ts'
import { type UploadRecord, uploadKey } from './uploads.ts'

/** An upload that somebody sends by a share link, and its room there. */
export interface SharedUpload {
  upload: UploadRecord | PartUploadRecord
  room: Room
}

/** The open uploads of a share link, those that end first before the others. Checks no rights. */
export async function sharedUploads(library: Reading & { clock: Clock }, shareId: string): Promise<SharedUpload[]> {
  const rooms = new Map((await roomsOf(library, shareId)).map((room) => [uploadIdOfRoom(room), room]))
  const uploads = await library.table.getMany<UploadRecord>([...rooms.keys()].map(uploadKey))
  return uploads
    .filter(({ mediaId, hasEnded }) => mediaId === undefined && !hasEnded)
    .map((upload) => ({ upload, room: rooms.get(upload.uploadId)! }))
    .sort((one, other) => one.upload.expires - other.upload.expires)
}
