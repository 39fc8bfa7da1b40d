import { jobs } from '../../../functions/jobs.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import type { MediaRecord } from '../../../shared/library/media/media.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { usageChange, usageOfCompany } from '../../../shared/library/usage/usage.ts'
import { deleteFile } from '../../../shared/library/versions/delete-file.ts'
import { noteFile } from '../../../shared/library/versions/note-file.ts'
import { restoreFile } from '../../../shared/library/versions/restore-file.ts'
import { setVersionsKept } from '../../../shared/library/versions/sweep-company.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { exchangeFile } from '../../support/exchanged.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { numbersOf } from '../../support/numbers.ts'

/** The file of these tests. */
export const ID = toMediaId(1)

const urls = { sign: async (key: string) => key }

/** A company with a file of 1 byte. @param keep how many numbers it keeps @param given of the file */
export async function companyWithFile({ keep = 20, given = {} }: { keep?: number; given?: Partial<MediaRecord> } = {}) {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin } = await openTestCompany(library)
  const request = requestOf(library, admin)
  const folder = await createFolder(request, { name: 'Folder', parent: null, companyId })
  const media = await putMedia(table, {
    ...(given as object),
    mediaId: ID,
    companyId,
    uploadedBy: admin.user.userId,
    folders: [contentsOf(folder)],
  })
  await table.transact({ usage: usageChange({ ...media, bytes: 1 }, 1) })
  await setVersionsKept(library, companyId, keep)
  const objects = openTestObjects(clock)
  return {
    ...{ library, companyId, request, clock, table, objects, folder },
    numbers: () => numbersOf(table, ID),
    usage: () => usageOfCompany(library, companyId),
    exchange: (bytes = 1) => exchangeFile(library, ID, { bytes }),
    note: (number: number, pinned: boolean) => noteFile({ ...request, urls }, ID, number, { pinned }),
    restore: (number: number) => restoreFile(requestOf(library, admin), ID, number, {}),
    remove: (number: number) => deleteFile(requestOf(library, admin), ID, number),
    /** Lets the jobs run whose time has come. @returns when the next sweep is due, in UNIX milliseconds */
    async due() {
      const all = { ...library, media: objects }
      await runDueJobs(all, jobs['sweep-company'])
      const next = await runDueJobs(all, jobs['sweep-files'])
      await runDueJobs(all, jobs['remove-numbers'])
      return next
    },
  }
}
