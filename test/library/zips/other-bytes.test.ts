import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { findMedia } from '../../../shared/library/media/find.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { removeStored } from '../../../shared/library/media/stored-removal.ts'
import { createShare } from '../../../shared/library/shares/manage.ts'
import { PREVIEW, type ShareDownload } from '../../../shared/library/shares/share.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import { buildZip } from '../../../shared/library/zips/build-zip.ts'
import { requestSelectionZip } from '../../../shared/library/zips/selection.ts'
import { requestSharedZip } from '../../../shared/library/zips/shared.ts'
import { findZip, type ZipRecord } from '../../../shared/library/zips/zip.ts'
import { exchangeBytes } from '../../support/exchanged.ts'
import { sealing } from '../../support/sealing.ts'
import { always, setUp } from './set-up.ts'

const OTHER_NAME = { filename: 'b.png', extension: 'png' }

/** A folder with a picture `a.jpg`, whose bytes another file replaces, and what is asked for of it. */
async function pictured() {
  const world = await setUp()
  const { library, media, admin, acting, folder, file, request } = world
  const top = await folder('Top')
  const picture = { kind: 'image', mime: 'image/jpeg', title: { en: 'Title' } }
  const mediaId = await file(top, 'a.jpg', 'old', picture)
  // Has as many bytes as each of the other's names, which is in its way.
  await file(top, 'b (2).png', 'other')
  const byShare = async (download: ShareDownload) => {
    const by = { kind: 'user', userId: admin.user.userId, requestId: 'r' } as const
    const maker = { ...acting(), by, sourceAddress: '::1', ...sealing }
    const { secret } = await createShare(maker, { folderId: top.folderId }, { download })
    return requestSharedZip({ ...library, media, ...(await openShare(library, secret)) }, {}, 'r')
  }
  return {
    ...world,
    mediaId,
    /** What a rendition is stored of, too: shares of previews give that. */
    async withRendition() {
      const found = await findMedia(library, mediaId)
      const key = objectKeys.rendition(found, { width: 1600, height: 900 })
      await media.put(key, Buffer.from('old'), { contentType: 'image/jpeg' })
      const renditions = { [PREVIEW]: { key, mime: 'image/jpeg', width: 1600, height: 900 } }
      await library.table.update({ pk: `MEDIA#${mediaId}`, sk: 'MEDIA' }, { set: { renditions } })
    },
    asked: {
      folder: () => request(top.folderId),
      selection: () => requestSelectionZip(acting(), [mediaId], 'files', 'r'),
      'share of originals': () => byShare('original'),
      'share of previews': () => byShare('preview'),
    } satisfies Record<string, () => Promise<ZipRecord>>,
    /** @param isDeleted whether the former bytes go at once */
    async exchange(named: object, isDeleted: boolean) {
      const before = await findMedia(library, mediaId)
      await exchangeBytes({ ...library, media }, mediaId, Buffer.from('the new'), named, async (stored) => {
        const key = objectKeys.rendition(stored, { width: 1600, height: 900 })
        await media.put(key, Buffer.from('the new'), { contentType: 'image/jpeg' })
        return { renditions: { [PREVIEW]: { key, mime: 'image/jpeg', width: 1600, height: 900 } } }
      })
      if (isDeleted) await removeStored({ media }, before)
    },
  }
}

const without = (text: string) => text.replace(/ with \{.*$/s, '')

describe.each(['folder', 'selection', 'share of originals', 'share of previews'] as const)(
  'a zip of a %s, whose file gets other bytes',
  (asked) => {
    test.each([
      ['under the same name', {}, false],
      ['under another name', OTHER_NAME, false],
      ['and loses those of before', OTHER_NAME, true],
    ])('%s, holds the old or the new ones, whole, under their name', async (_, named, isDeleted) => {
      const seen = new Set<string>()
      for (let steps = 0, isDone = false; !isDone; steps += 1) {
        const world = await pictured()
        const { building, clock, contentsOf, library } = world
        if (asked === 'share of previews') await world.withRendition()
        const { jobId } = await world.asked[asked]()
        for (let step = 0; step < steps; step += 1) await buildZip(building, jobId, always)
        isDone = (await findZip(library, jobId))!.state === 'DONE'
        if (!isDone) await world.exchange(named, isDeleted)
        // A copy of the former version is waited for, for five minutes.
        while (await buildZip(building, jobId, always)) clock.advance(30)
        const zip = (await findZip(library, jobId))!
        assert.equal(zip.state, 'DONE')
        const names = Object.entries(await contentsOf(zip)).filter(([path]) => path !== 'b (2).png')
        assert.equal(names.length, 1, `after ${steps} steps`)
        seen.add(names.map(([path, text]) => `${path.replace(/_1600px/, '')}: ${without(text)}`).join())
      }
      const [old, fresh] = [
        'a.jpg: old',
        `${named === OTHER_NAME ? (asked === 'share of previews' ? 'b.jpg' : 'b.png') : 'a.jpg'}: the new`,
      ]
      assert.deepEqual([...seen].sort(), [old, fresh].sort())
    })
  },
)

test('a zip that is there is offered no more once one of its files has other bytes', async () => {
  const { asked, build, clock, exchange, contentsOf } = await pictured()
  const { zip } = await build((await asked.folder()).jobId)
  clock.advance(60)
  assert.equal((await asked.folder()).jobId, zip.jobId)
  await exchange({}, false)
  const { jobId } = await asked.folder()
  assert.notEqual(jobId, zip.jobId)
  assert.equal(without((await contentsOf((await build(jobId)).zip))['a.jpg']!), 'the new')
})
