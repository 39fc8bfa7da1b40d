import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { forgetLink, invalidationKey, streamInvalidationKey } from '../../../shared/library/links/invalidation.ts'
import { CONSOLE_FILES, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { type LinkRecord, linkKey, newLinkId, publication } from '../../../shared/library/media/link.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { PLAYER_FILES } from '../../../shared/library/videos/objects.ts'
import { newEncodingId } from '../../../shared/library/videos/video.ts'
import { COMPANY } from '../../support/media.ts'
import { ALIAS, setUp, type World } from '../links/set-up.ts'

const [HOUR, DAY] = [3_600, 86_400]

/** Two published links, another that is not yet, and one that edges are being told of. */
async function linked() {
  const world = await setUp()
  const { file, publish, master, table, publishing, folder, media, publicFiles, clock } = world
  const linkOf = async (): Promise<LinkRecord> => {
    const mediaId = await file({ folders: [] })
    await changePointers(publishing, mediaId, () => new Map([[contentsOf(folder), 'full']]))
    const { links } = (await table.get<{ pk: string; sk: string; links: { id: LinkRecord['linkId'] }[] }>(mediaKey(mediaId)))!
    return world.link(links[0]!.id)
  }
  const [shown, other, queued, ended] = [await linkOf(), await linkOf(), await linkOf(), await linkOf()]
  for (const each of [shown, other, ended]) await publish(each)
  await master(shown)
  await changePointers(publishing, ended.mediaId!, () => new Map())
  await publish(ended)
  return {
    ...{ ...world, shown, other, queued, ended },
    /** What is wrong with links. The set-up's files are no complete ones. */
    async check() {
      const problems = await checkLibrary({ table, scanner: table, media, publicFiles, clock }, { pauses: [0] })
      return problems.map(({ problem }) => problem).filter((code) => /link|public_object|invalidation/.test(code))
    },
  }
}

type Linked = Awaited<ReturnType<typeof linked>>

const put = ({ publicFiles }: World, key: string) => publicFiles.put(key, Buffer.from('x'), { contentType: 'text/plain' })

test('nothing is wrong with the files of player and console, which a deployment puts beside what links show', async () => {
  const world = await linked()
  for (const files of [PLAYER_FILES, CONSOLE_FILES]) await put(world, `${files}index.html`)
  assert.deepEqual(await world.check(), [])
})

test('nothing is wrong with a link whose file got other bytes just now, nor with what is left of the former ones', async () => {
  const { clock, shown, exchange, publish, check } = await linked()
  clock.advance(HOUR / 2)
  const before = await check()
  await exchange(shown.mediaId!, 'other bytes')
  assert.deepEqual(await check(), before)
  await publish(shown)
  assert.deepEqual(await check(), before)
})

test.each<[what: string, damage: (world: Linked) => unknown, found: ProblemCode[]]>([
  ['a copy that is not stored', ({ publicFiles, shown }) => publicFiles.delete([publicKeys.copy(shown)]), ['public_object_missing']],
  ['a copy of no link', (world) => put(world, publicKeys.copy({ alias: ALIAS, linkId: newLinkId() })), ['public_object_unexpected']],
  [
    'a link without a record',
    ({ table, shown }) => table.delete(linkKey(shown.linkId)),
    ['link_missing', ...Array<ProblemCode>(6).fill('public_object_unexpected')],
  ],
  [
    'a link that its file does not name',
    ({ table, shown }) => table.update(mediaKey(shown.mediaId!), { set: { links: [] } }),
    ['link_not_in_file'],
  ],
  [
    'links of a folder that has another alias',
    ({ publishing, folder }) => changeTree(publishing, COMPANY, () => ({ put: [{ ...folder, alias: 'other' }] })),
    ['link_under_wrong_alias', 'link_under_wrong_alias', 'link_under_wrong_alias'],
  ],
  ['publications that do not end', ({ clock }) => clock.advance(DAY + 1), ['invalidation_stuck', 'link_stuck', 'link_stuck']],
  [
    'a publication that nobody has asked for',
    async ({ library, table, queued, clock }) => {
      clock.advance(HOUR + 1)
      const { pk, sk } = (await publication.find(library, queued.linkId))!
      await table.delete({ pk, sk })
    },
    ['link_without_job'],
  ],
  [
    'other bytes of a file of whose publication nobody thinks',
    async ({ library, table, shown, exchange, clock }) => {
      await exchange(shown.mediaId!, 'other bytes')
      clock.advance(HOUR + 1)
      for (const { pk, sk } of [(await publication.find(library, shown.linkId))!]) await table.delete({ pk, sk })
    },
    ['link_without_job'],
  ],
  ['edges that nobody tells', ({ table, ended }) => table.delete(invalidationKey(ended.linkId)), ['link_not_invalidated']],
  [
    'edges that are told of nothing',
    ({ table, library }) => table.transact(forgetLink(library, { linkId: newLinkId(), alias: 'press', revision: 1 })),
    ['invalidation_of_no_link'],
  ],
  [
    'edges that are not told of a removed stream',
    ({ table, clock }) => {
      const [encodingId, since] = [newEncodingId(), clock.now() - 2 * DAY * 1000]
      return table.put({ ...streamInvalidationKey(encodingId), encodingId, since, notBefore: since })
    },
    ['invalidation_stuck'],
  ],
])('%s: found, and nothing else', async (_, damage, found) => {
  const world = await linked()
  await damage(world)
  assert.deepEqual((await world.check()).sort(), found)
})
