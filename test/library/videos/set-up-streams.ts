import { setStreaming } from '../../../shared/library/accounts/companies.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

export const VIDEO = toMediaId(1)

/** A company that may make streams, with a folder that holds a video. */
export async function setUpStreams() {
  const library = openTestTable()
  const company = await openTestCompany(library)
  const { companyId, admin, user } = company
  await setStreaming(library, companyId, true)
  const folder = await createFolder(requestOf(library, admin), { name: 'Films', parent: null })
  const put = (given: Partial<Parameters<typeof putMedia>[1]> = {}) =>
    putMedia(library.table, {
      ...{ mediaId: VIDEO, companyId, folders: [contentsOf(folder)], uploadedBy: admin.user.userId },
      ...{ kind: 'video', mime: 'video/mp4', extension: 'mp4', filename: 'Harbour.mp4', width: 1920, height: 1080 },
      ...given,
    })
  return {
    ...{ library, company, companyId, admin, user, put, media: await put() },
    /** Of one request: it keeps the rights that it has read. */
    asAdmin: () => requestOf(library, admin),
    asUser: () => requestOf(library, user),
    grant: (...rights: Right[]) => setGrants(library, folder.folderId, user.user.userId, () => rights),
    video: async () => (await getVideo(library, VIDEO))!,
  }
}
