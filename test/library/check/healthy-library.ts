import { createHash, randomUUID } from 'node:crypto'
import type { EmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Key, Table, TableScanner } from '../../../shared/backends/table/port.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { profileImageKey, profileImageSizes } from '../../../shared/library/accounts/profile-images.ts'
import { setProfileImage } from '../../../shared/library/accounts/users.ts'
import { storeLogo } from '../../../shared/library/brands/brand.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { createClique } from '../../../shared/library/cliques/cliques.ts'
import { addMember } from '../../../shared/library/cliques/members.ts'
import { shareFolder } from '../../../shared/library/cliques/shares.ts'
import { originalOnDemand } from '../../../shared/library/downloads/on-demand.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { addAlias } from '../../../shared/library/links/aliases.ts'
import { publishPresets } from '../../../shared/library/links/publish-presets.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import type { AvailableMedia, MediaRecord } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { addPreset } from '../../../shared/library/presets/manage.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { usageChange } from '../../../shared/library/usage/usage.ts'
import { toMediaId, toStoredId } from '../../../shared/vocabulary/ids.ts'
import { exchangeFile } from '../../support/exchanged.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { TestClock } from '../../support/test-clock.ts'
import { writer } from '../downloads/set-up.ts'

/** What a library is kept in. */
export interface Stores {
  table: Table
  scanner: TableScanner
  media: Objects
}

/** Stores of one test's own in a folder, gone after it. */
export function openTestStores(clock: TestClock): { table: EmbeddedTable; scanner: TableScanner; media: EmbeddedObjects } {
  const { table } = openTestTable(clock)
  return { table, scanner: table, media: openTestObjects(clock) }
}

/** A library with something of every kind, in which everything fits. */
export async function healthyLibrary(stores: Stores, clock = new TestClock()) {
  const { table, scanner, media: objects } = stores
  const library = { table, clock, by }
  const { companyId, admin, user } = await openTestCompany(library)
  const acting = () => requestOf(library, admin)
  const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32, 7).toString('base64') }) }
  const { record: key } = await createKey({ ...library, apiSecretsKey }, { companyId, grants: [] })
  const folder = await createFolder(acting(), { name: 'Folder', parent: null })
  const below = await createFolder(acting(), { name: 'Below', parent: folder.folderId })
  const other = await createFolder(acting(), { name: 'Other', parent: null })
  const press = await addAlias(library, companyId, 'press', { name: 'Press' })
  await addPreset(library, companyId, { name: 'card', query: 'width=640' })
  await publishPresets({ ...library, publicFiles: openTestObjects(clock) }, companyId)
  const { userId } = user.user
  const trashcan = (await ensureTrashcan(library, companyId, admin.user.userId)).folderId
  const users = [admin.user.userId, userId]
  const clique = await createClique(acting(), { companyId, name: 'Clique', thumbnail: null })
  const { cliqueId } = clique
  const membership = await addMember(acting(), cliqueId, userId)
  await shareFolder(acting(), cliqueId, folder.folderId, ['READ'])

  /** A file as an import leaves it. */
  const addFile = async (mediaId: number, folders: number[], readOnlyIn: number[] = []) => {
    const place = { companyId, mediaId: toMediaId(mediaId) }
    const rendition = { key: objectKeys.rendition(place, { width: 1, height: 1 }), mime: 'image/jpeg', width: 1, height: 1 }
    const renditions = { '110px': rendition, '200px': rendition }
    const original = Buffer.alloc(100 + mediaId, String(mediaId))
    const facts = { bytes: original.length, md5: createHash('md5').update(original).digest('hex'), renditions }
    const given = { ...place, ...facts, folders, readOnlyIn, uploadedBy: userId, created: clock.now(), modified: clock.now() }
    const record = (await putMedia(table, given)) as AvailableMedia
    await table.transact({ usage: usageChange(record, 1) })
    await objects.put(objectKeys.original(record), original, { contentType: 'text/plain' })
    for (const object of [objectKeys.tags(record), rendition.key]) {
      await objects.put(object, Buffer.from('x'), { contentType: 'text/plain' })
    }
    return record
  }
  const file = await addFile(11, [folder.folderId, other.folderId], [other.folderId])
  await addFile(12, [below.folderId])
  const replaced = await addFile(15, [folder.folderId])
  /** Makes another file its current one, as the import of a replacement does. */
  const replace = async (bytes: number, shared?: MediaRecord['stored']) => {
    const stored = shared ?? toStoredId(randomUUID())
    const original = Buffer.alloc(bytes, String(bytes))
    const place = { companyId, mediaId: replaced.mediaId, stored }
    const md5 = createHash('md5').update(original).digest('hex')
    await exchangeFile(library, replaced.mediaId, { bytes, md5, stored, renditions: {} })
    await objects.put(objectKeys.original(place), original, { contentType: 'text/plain' })
    await objects.put(objectKeys.tags(place), Buffer.from('x'), { contentType: 'text/plain' })
    return stored
  }
  const former = await replace(1_000)
  await replace(2_000)
  await replace(1_000, former)
  const apart = await createFolder(acting(), { name: 'Apart', parent: null })
  const described = { ...(await addFile(13, [apart.folderId])), title: { en: 'Title' } }
  await table.update(mediaKey(described.mediaId), { set: { title: described.title } })
  const prepared = await originalOnDemand({ ...library, media: objects, exiftool: writer() }, described)
  const image = randomUUID()
  await setProfileImage(library, userId, image)
  for (const size of profileImageSizes) {
    await objects.put(profileImageKey(userId, image, size), Buffer.from('x'), { contentType: 'image/jpeg' })
  }
  const circle = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  await storeLogo({ ...library, logos: objects }, companyId, circle)
  await objects.put('generic/thumbnail.png', Buffer.from('x'), { contentType: 'image/png' })

  /** @returns what is wrong, without the sentences */
  const check = async (pauses: number[] = [0], deep = false): Promise<Omit<Problem, 'message'>[]> => {
    const problems = await checkLibrary({ table, scanner, media: objects, clock }, { pauses, deep })
    return problems.map(({ message: _, ...rest }) => rest)
  }
  const change = (address: Key, set: Record<string, never> | object) => table.update(address, { set: set as Record<string, never> })
  return {
    ...{
      ...stores,
      ...library,
      admin,
      acting,
      companyId,
      userId,
      users,
      trashcan,
      username: user.user.username,
      key,
      folder,
      below,
      other,
      press,
    },
    ...{ cliqueId, membership, file, replaced, former, described, prepared, addFile, check, change },
  }
}

export type HealthyLibrary = Awaited<ReturnType<typeof healthyLibrary>>
