import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { changeShare, createShare } from '../../../shared/library/shares/manage.ts'
import { PREVIEW, type ShareDownload } from '../../../shared/library/shares/share.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import type { FolderRecord } from '../../../shared/library/tree/folder.ts'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { buildZip } from '../../../shared/library/zips/build-zip.ts'
import { zipJob } from '../../../shared/library/zips/job.ts'
import { requestZip } from '../../../shared/library/zips/request.ts'
import { requestSharedZip } from '../../../shared/library/zips/shared.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { sealing } from '../../support/sealing.ts'
import { always, setUp } from './set-up.ts'

/** A library whose folder `Shown` is shared by a link. */
async function shared(download: ShareDownload) {
  const world = await setUp()
  const { folder, file, library, media, companyId, acting, admin } = world
  const shown = await folder('Shown')
  const by = { kind: 'user', userId: admin.user.userId, requestId: 'r' } as const
  const maker = { ...acting(), by, sourceAddress: '::1', ...sealing }
  const { secret, share } = await createShare(maker, { folderId: shown.folderId }, { download })
  let pictures = 1_000
  return {
    ...world,
    shown,
    change: (other: ShareDownload) => changeShare(maker, share.shareId, { download: other }),
    async request() {
      const visit = await openShare(library, secret)
      return requestSharedZip({ ...library, media, ...visit }, {}, 'r')
    },
    /** A picture with a rendition, whose bytes are its name. */
    async picture(into: FolderRecord, filename: string, more: object = {}) {
      pictures += 1
      const key = objectKeys.rendition({ companyId, mediaId: toMediaId(pictures) }, { width: 1600, height: 900 })
      await media.put(key, Buffer.from(filename), { contentType: 'image/jpeg' })
      const renditions = { [PREVIEW]: { key, mime: 'image/jpeg', width: 1600, height: 900 } }
      return file(into, filename, `original of ${filename}`, { kind: 'image', mime: 'image/jpeg', renditions, ...more })
    },
  }
}

describe('a zip whose link gives something else before it is there is never delivered', () => {
  test.each<[from: ShareDownload, to: ShareDownload]>([
    ['original', 'preview'],
    ['original', 'none'],
    ['preview', 'none'],
  ])('%s, then %s', async (from, to) => {
    for (let steps = 0; ; steps += 1) {
      const { library, shown, picture, request, building, build, change, stored } = await shared(from)
      const mediaId = await picture(shown, 'a.jpg', { title: { en: 'Title' } })
      const { jobId } = await request()
      for (let step = 0; step < steps; step += 1) await buildZip(building, jobId, always)
      if ((await findZip(library, jobId))!.state === 'DONE') {
        assert.ok(steps > 3)
        assert.equal(await getVideo(library, mediaId), undefined, 'a picture is no film')
        break
      }
      await change(to)
      const { zip } = await build(jobId)
      assert.deepEqual([zip.state, zip.archive, await stored()], ['FAILED', undefined, []], `after ${steps} steps`)
    }
  })
})

test("a zip that is asked for by a link waits behind those of the company's own people", async () => {
  const { shown, file, request, acting, media, library } = await shared('original')
  await file(shown, 'a.txt', 'a')
  await request()
  const { jobId } = await requestZip({ ...acting(), media }, shown.folderId, 'r')
  assert.equal((await claimNext(library, zipJob.name, undefined, 60_000))?.subject, jobId)
})
