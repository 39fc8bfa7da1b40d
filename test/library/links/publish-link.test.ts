import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { publishLink } from '../../../functions/jobs/publish-link.ts'
import { CopyUnfinished, type Objects } from '../../../shared/backends/objects/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { performJob } from '../../../shared/library/jobs/perform.ts'
import { invalidationJob } from '../../../shared/library/links/invalidation.ts'
import { readManifest } from '../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { askForEachPublication, type LinkRecord, newLinkId, publication, stateOf } from '../../../shared/library/media/link.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import type { MediaId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { COMPANY } from '../../support/media.ts'
import { ALIAS, setUp, type World } from './set-up.ts'

/** The public bucket holds what the link's record says, whatever else there is of former revisions. */
async function assertShown({ stored, link }: World, { linkId }: LinkRecord, mediaId: MediaId, what?: string): Promise<void> {
  const { revision, published } = await link(linkId)
  const objects = await stored()
  const named = { linkId, alias: ALIAS }
  assert.equal(objects[publicKeys.copy(named)], `file ${mediaId}`, what)
  assert.equal(objects[publicKeys.original(linkId, { revision })], `file ${mediaId}`, what)
  assert.equal(readManifest(Buffer.from(objects[publicKeys.manifest(named)]!)).revision, revision, what)
  assert.deepEqual(published, { revision, mediaId }, what)
}

describe('a link that is published', () => {
  test('has a copy, a picture to render from, and a manifest', async () => {
    const world = await setUp()
    const { create, publish, file, asksEdges, masters, link, stored, publicFiles } = world
    const mediaId = await file({ filename: 'Grüße "1".jpg', copyright: '© me' })
    const created = await create(mediaId)
    assert.equal(stateOf(created, {}), 'queued')
    await publish(created)
    await assertShown(world, created, mediaId)
    const { linkId } = created
    assert.equal(Object.keys(await stored()).length, 3)
    const { contentType, cacheControl, disposition, cacheTag } = (await publicFiles.head(publicKeys.copy(created)))!
    assert.deepEqual(
      { contentType, cacheControl, disposition, cacheTag },
      {
        contentType: 'image/jpeg',
        cacheControl: 'public, max-age=20',
        disposition: `inline; filename="Gru_e _1_.jpg"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.jpg`,
        cacheTag: `link-${created.linkId}`,
      },
    )
    assert.deepEqual(readManifest(Buffer.from((await stored())[publicKeys.manifest(created)]!)), {
      ...{ revision: 1, file: 1, mime: 'image/jpeg', kind: 'image', bytes: 6, width: 3000, height: 2000 },
      ...{ extension: 'jpg', copyright: '© me', digitalSourceType: null, transparent: false, focalPoint: null, master: true },
      ...{ filename: 'Grüße "1".jpg', title: {}, description: {} },
    })
    const { extension, stale } = await link(linkId)
    assert.deepEqual({ extension, stale }, { extension: 'jpg', stale: undefined })
    assert.equal(stateOf(await link(linkId), {}), 'active')
    assert.deepEqual([await masters(), await asksEdges()], [[{ companyId: COMPANY, linkId, revision: 1, file: 1 }], false])
  })

  test('shows a large file when some run has copied the rest of it', async () => {
    const world = await setUp()
    const { create, file, link, publishing, publicFiles, library, clock } = world
    const created = await create(await file())
    const begun: unknown[] = []
    const copy: Objects['copy'] = async (source, key, labels, inRuns) => {
      if (!inRuns) return publicFiles.copy(source, key, labels)
      begun.push(inRuns.begun)
      if (!inRuns.begun) await inRuns.begin({ id: 'composition', etag: 'one' })
      if (begun.length < 3) throw new CopyUnfinished(key)
      return publicFiles.copy(source, key, labels)
    }
    const jobs = { ...library, log: jsonLog(() => {}) }
    const given = { ...publishing, ...jobs, publicFiles: instead(publicFiles, { copy }), settings: {} }
    for (let run = 1; run <= 3; run++) {
      assert.equal(stateOf(await link(created.linkId), {}), 'queued')
      const job = (await claimNext(jobs, publication.name, undefined, 60_000))!
      await performJob({ ...jobs, clock }, job, () =>
        publishLink.handle({ ...given, job } as unknown as Parameters<typeof publishLink.handle>[0]),
      )
    }
    assert.equal(stateOf(await link(created.linkId), {}), 'active')
    const noted = { id: 'composition', etag: 'one' }
    assert.deepEqual(begun, [undefined, noted, noted])
  })

  test.each([
    [
      'a text',
      { kind: 'generic', mime: 'text/plain; charset=utf-16', extension: 'txt' },
      { kind: 'other', mime: 'text/plain', extension: 'txt' },
    ],
    [
      'a picture that could not be decoded',
      { kind: 'generic', mime: 'image/png', width: null },
      { kind: 'undecodable', mime: 'image/png', extension: 'jpg' },
    ],
  ])('to %s has a copy and a manifest alone', async (_, facts, told) => {
    const world = await setUp()
    const { create, publish, file, masters, stored, link } = world
    const created = await create(await file(facts))
    await publish(created)
    const objects = await stored()
    assert.deepEqual(Object.keys(objects).sort(), [publicKeys.manifest(created), publicKeys.copy(created)].sort())
    const { kind, mime, extension, master } = readManifest(Buffer.from(objects[publicKeys.manifest(created)]!))
    assert.deepEqual({ kind, mime, extension, master }, { ...told, master: false })
    assert.deepEqual(await masters(), [])
    assert.equal((await link(created.linkId)).extension, told.extension)
  })
})

describe('how a picture came about', () => {
  async function told() {
    const world = await setUp()
    const copied: (string | undefined)[] = []
    const copy: Objects['copy'] = async (source, key, labels, inRuns) => {
      if (key.startsWith(`${ALIAS}/`)) copied.push(labels?.ai)
      return world.publicFiles.copy(source, key, labels, inRuns)
    }
    const publishing = { ...world.publishing, publicFiles: instead(world.publicFiles, { copy }) }
    const file = async (digitalSourceType: string) => {
      const mediaId = await world.file()
      const tags = Buffer.from(JSON.stringify({ XMP: { DigitalSourceType: digitalSourceType } }))
      await world.media.put(objectKeys.tags({ companyId: COMPANY, mediaId }), tags, { contentType: 'application/json' })
      return mediaId
    }
    return { ...world, file, copied, publish: (link: LinkRecord) => world.publish(link, publishing) }
  }

  test('is a label of its copy, and of that of another file in its place', async () => {
    const { file, create, change, publish, copied, link } = await told()
    const created = await create(await file('trainedAlgorithmicMedia'))
    await publish(created)
    assert.deepEqual([copied, (await link(created.linkId)).ai], [['generated'], 'generated'])
    await publish(await change(created, await file('compositeSynthetic')))
    await publish(await change(created, await file('digitalCapture')))
    assert.deepEqual([copied, 'ai' in (await link(created.linkId))], [['generated', 'modified', undefined], false])
  })

  test('becomes a label of a copy that was stored without it, once', async () => {
    const { file, create, publish, copied, link, table } = await told()
    const created = await create(await file('trainedAlgorithmicMedia'))
    await publish(created)
    // As an earlier release left it.
    await table.update({ pk: `LINK#${created.linkId}`, sk: 'LINK' }, { set: { labels: 'former' }, remove: ['ai'] })
    for (let run = 1; run <= 2; run++) await publish(created)
    assert.deepEqual([copied, (await link(created.linkId)).ai], [['generated', 'generated'], 'generated'])
  })
})

describe('another copyright of a file that is published', () => {
  /** A published picture, what its manifest says, and an edit of it. */
  async function published(facts: object = {}) {
    const world = await setUp()
    const created = await world.create(await world.file({ copyright: 'before', ...facts }))
    const links = [{ id: created.linkId, contents: created.contents, alias: ALIAS }]
    await world.table.update(mediaKey(created.mediaId!), { set: { links } })
    await world.publish(created)
    const edit = (copyright: string | null) => editMetadata(world.library, [created.mediaId!], () => ({ copyright }))
    const said = async () => readManifest(Buffer.from((await world.stored())[publicKeys.manifest(created)]!)).copyright
    const asked = async () => (await listJobs(world.library, [publication.name], {})).map(({ asked }) => asked)
    return { ...world, created, edit, said, asked }
  }

  test('is what its pictures say, with no other object stored, and edges forget those of before', async () => {
    const { created, edit, said, asked, publish, publishing, publicFiles, link, asksEdges } = await published()
    await edit('after')
    assert.deepEqual(await asked(), [2])
    const copy = () => assert.fail('the file is as it was')
    await publish(created, { ...publishing, publicFiles: instead(publicFiles, { copy }) })
    assert.deepEqual([await said(), stateOf(await link(created.linkId), {}), await asksEdges()], ['after', 'active', true])
    await edit(null)
    await publish(created)
    assert.equal(await said(), null)
  })

  test('asks for nothing where pictures say the same, and where the file is no picture', async () => {
    const { library, created, edit, asked } = await published()
    await edit('before')
    await editMetadata(library, [created.mediaId!], () => ({ keywords: { en: ['sea'] } }))
    assert.deepEqual(await asked(), [1])
    const film = await published({ kind: 'video', mime: 'video/mp4' })
    await film.edit('after')
    assert.deepEqual(await film.asked(), [1])
  })

  test('words about a picture are in the manifest, and edges forget nothing', async () => {
    const { library, created, publish, stored, asksEdges, link } = await published()
    await editMetadata(library, [created.mediaId!], () => ({ title: { en: 'Title' } }))
    await publish(created)
    const { title } = readManifest(Buffer.from((await stored())[publicKeys.manifest(created)]!))
    assert.deepEqual([title, stateOf(await link(created.linkId), {}), await asksEdges()], [{ en: 'Title' }, 'active', false])
  })

  test.each(['before', 'after'] as const)('is said in the end although a run crashes %s any call to a port', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const { created, edit, said, publish, publishing, library } = await published()
      await edit('after')
      const faults = new Faults(failing, when)
      const ports = { table: faults.in(publishing.table), publicFiles: faults.in(publishing.publicFiles) }
      await unlessEnded(publish(created, { ...publishing, ...ports }))
      wasReached = faults.hasFailed
      await publish(created)
      assert.equal(await said(), 'after', `${when} call ${failing}`)
      assert.equal((await listJobs(library, [invalidationJob.name], {})).length, 1, `${when} call ${failing}`)
    }
  })

  test('is said in the end although a run that lost its lease stores the former one', async () => {
    const { created, edit, said, publish, publishing, publicFiles } = await published()
    await edit('during')
    let isFirst = true
    const put: Objects['put'] = async (...input) => {
      if (isFirst) {
        isFirst = false
        await edit('after')
        await publish(created)
      }
      return publicFiles.put(...input)
    }
    await publish(created, { ...publishing, publicFiles: instead(publicFiles, { put }) })
    assert.equal(await said(), 'after')
  })
})

describe('publishing a link', () => {
  test('goes on with what the link shows by now when that changes meanwhile', async () => {
    for (const change of ['replaced', 'ended', 'deleted with its file'] as const) {
      const world = await setUp()
      const { create, publish, publishing, file, table, media, stored, link } = world
      const [former, latter] = [await file(), await file()]
      const created = await create(former)
      const changed = async () => {
        await world.change(created, change === 'replaced' ? latter : null)
        if (change !== 'deleted with its file') return
        await table.delete(mediaKey(former))
        await media.delete([objectKeys.original({ companyId: COMPANY, mediaId: former })])
      }
      await publish(created, beforeCopying(publishing, changed))
      if (change === 'replaced') await assertShown(world, created, latter, change)
      else assert.deepEqual([await stored(), (await link(created.linkId)).stale], [{}, 2], change)
    }
  })

  test('is right in the end although a run that lost its lease goes on', async () => {
    for (const removed of [false, true]) {
      const world = await setUp()
      const { create, publish, publishing, change, file, stored } = world
      const [former, latter] = [await file(), await file()]
      const created = await create(former)
      const sleeping = beforeCopying(publishing, async () => {
        await change(created, removed ? null : latter)
        await publish(created)
      })
      await publish(created, sleeping)
      if (removed) assert.deepEqual(await stored(), {})
      else await assertShown(world, created, latter)
    }
  })

  test.each(['before', 'after'] as const)('may crash %s any call to a port', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const world = await setUp()
      const { create, publish, publishing, change, file, stored, link } = world
      const [former, latter] = [await file(), await file()]
      const created = await create(former)
      /** A run that crashes, and the next one of its job. */
      const crashing = async () => {
        const faults = new Faults(failing, when)
        const { table, publicFiles } = publishing
        const ports = { table: faults.in(table), publicFiles: faults.in(publicFiles) }
        await unlessEnded(publish(created, { ...publishing, ...ports }))
        wasReached = faults.hasFailed
        await publish(created)
      }
      await crashing()
      await assertShown(world, created, former, `${when} call ${failing}`)
      await change(created, latter)
      await crashing()
      await assertShown(world, created, latter, `${when} call ${failing}`)
      await change(created, null)
      await crashing()
      assert.deepEqual([await stored(), (await link(created.linkId)).stale], [{}, 3], `${when} call ${failing}`)
    }
  })
})

/** Ports where something else happens before the first copy is made. */
function beforeCopying({ publicFiles, ...publishing }: World['publishing'], happens: () => Promise<unknown>): World['publishing'] {
  let isFirst = true
  const copy: Objects['copy'] = async (...input) => {
    if (isFirst) {
      isFirst = false
      await happens()
    }
    return publicFiles.copy(...input)
  }
  return { ...publishing, publicFiles: instead(publicFiles, { copy }) }
}

test('of many links 50 jobs are asked for at a time, and never none', async () => {
  const { library, table } = await setUp()
  const sizes: number[] = []
  const counting = instead(table, {
    async transact(operations) {
      sizes.push(Object.keys(operations).length)
      await table.transact(operations)
    },
  })
  const links = Array.from({ length: 100 }, () => ({ linkId: newLinkId(), alias: ALIAS }))
  await askForEachPublication({ ...library, table: counting }, COMPANY, links)
  assert.deepEqual(sizes, [50, 50])
})
