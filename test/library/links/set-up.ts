import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { held } from '../../../shared/library/concurrency/conditional.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { invalidationJob } from '../../../shared/library/links/invalidation.ts'
import { type MakingMasters, makeMaster } from '../../../shared/library/links/make-master.ts'
import { masterJob } from '../../../shared/library/links/public-objects.ts'
import { type Publishing, publishLink } from '../../../shared/library/links/publish-link.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { askForPublication, getLink, type LinkRecord, linkChange, linkCreation, newLinkId } from '../../../shared/library/media/link.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { claimId, contentsOf, newFolder } from '../../../shared/library/tree/folder.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import type { MasterMaker } from '../../../shared/tools/imaging/master.ts'
import type { LinkId } from '../../../shared/vocabulary/ids.ts'
import { type MediaId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { exchangeBytes, goBack } from '../../support/exchanged.ts'
import { by, openTestObjects, openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import type { TestClock } from '../../support/test-clock.ts'

export const ALIAS = 'demo'

interface Stores<T extends Table, Bucket extends Objects> {
  table: T
  media: Bucket
  publicFiles: Bucket
  clock: TestClock
}

/** Makes a master that says what it was made of. The original must be there. */
const masterMaker: MasterMaker = async (path, mime, into) => {
  await access(path)
  const at = async (name: string) => {
    const made = join(into, name)
    await writeFile(made, `${name} of ${mime}`)
    return { path: made, mime: 'image/jpeg' as const }
  }
  const large = { master: await at('master'), smallMaster: await at('small'), pyramid: await at('pyramid') }
  return { ...(mime === 'image/heic' && { original: await at('converted') }), ...large }
}

/** A library with a CDN folder in stores of one machine, and what publishes its links. */
export async function setUp() {
  const { table, clock } = openTestTable()
  return setUpIn({ table, media: openTestObjects(clock), publicFiles: openTestObjects(clock), clock })
}

/** The same in other stores. */
export async function setUpIn<T extends Table, Bucket extends Objects>({ table, media, publicFiles, clock }: Stores<T, Bucket>) {
  const library = { table, clock, by }
  const folder = {
    ...newFolder(toFolderId(900), { companyId: COMPANY, name: 'Public', parent: null, created: 0 }),
    system: 'cdn' as const,
    alias: ALIAS,
  }
  await changeTree(library, COMPANY, () => ({ put: [folder], also: { claim: claimId(COMPANY, folder.folderId) } }))
  const publishing: Publishing = { ...library, media, publicFiles }
  const lines: string[] = []
  const making: MakingMasters = { table, media, publicFiles, masterMaker, log: jsonLog((line) => lines.push(line)) }
  const link = async (linkId: LinkRecord['linkId']): Promise<LinkRecord> => (await getLink(library, linkId))!
  const name = (mediaId: MediaId, linkIds: readonly LinkId[]) => {
    const links = linkIds.map((id) => ({ id, contents: contentsOf(folder), alias: ALIAS }))
    return held(table.update(mediaKey(mediaId), { set: { links } }, { mediaId: { exists: true } }))
  }
  let files = 0

  return {
    ...{ library, table, clock, media, publicFiles, publishing, making, folder, lines, link },
    /** A picture that needs a master, unless a test says something else. */
    async file(more: object = {}): Promise<MediaId> {
      files += 1
      const bytes = Buffer.from(`file ${files}`)
      const facts = { filename: `file ${files}.jpg`, bytes: bytes.length, width: 3000, height: 2000 }
      const stored = await putMedia(table, { mediaId: files, folders: [folder.folderId], ...facts, ...more })
      await media.put(objectKeys.original(stored), bytes, { contentType: 'image/jpeg' })
      return stored.mediaId
    },
    /** Makes a link, as a pointer into the CDN folder does: of a file, its record names it, so that its exchange asks for the publication. */
    async create(mediaId: MediaId): Promise<LinkRecord> {
      const linkId = newLinkId()
      const { fileNumber: file } = (await getMedia(library, mediaId))!
      const job = askForPublication(library, COMPANY, [{ id: linkId, alias: ALIAS }])
      await table.transact({ link: linkCreation(library, { linkId, mediaId, ...(file && { file }) }, folder), ...job })
      await name(mediaId, [linkId])
      return link(linkId)
    },
    /** Other bytes take the place of a file. */
    exchange: (mediaId: MediaId, text: string, facts: Parameters<typeof exchangeBytes>[3] = {}) =>
      exchangeBytes({ ...library, media }, mediaId, Buffer.from(text), facts),
    back: (mediaId: MediaId, number: number) => goBack(library, mediaId, number),
    /** The link shows another file, or nothing. */
    async change({ linkId }: Pick<LinkRecord, 'linkId'>, to: MediaId | null): Promise<LinkRecord> {
      const { mediaId } = await link(linkId)
      const job = askForPublication(library, COMPANY, [{ id: linkId, alias: ALIAS }])
      await table.transact({ link: linkChange(library, linkId, { from: mediaId!, to }), ...job })
      await name(mediaId!, [])
      if (to !== null) await name(to, [linkId])
      return link(linkId)
    },
    /** Whether edges are to forget something. */
    asksEdges: async () => (await listJobs(library, [invalidationJob.name], {})).length > 0,
    /** The masters that jobs are to make. */
    masters: async () =>
      (await listJobs(library, [masterJob.name], {})).map(({ companyId, input }) => ({
        companyId,
        ...(input as { linkId: LinkId; revision: number; file?: number }),
      })),
    publish: (named: Pick<LinkRecord, 'linkId' | 'alias'>, over = publishing) => publishLink(over, named),
    master: (wanted: Parameters<typeof makeMaster>[1], over = making) => makeMaster(over, wanted),
    /** All that is public, as text by key. */
    async stored(): Promise<Record<string, string>> {
      const keys = await Array.fromAsync(everyObject(publicFiles, ''), ({ key }) => key)
      const contents = keys.map(async (key) => [key, await text((await publicFiles.get(key)).stream)] as const)
      return Object.fromEntries(await Promise.all(contents))
    },
  }
}

export type World = Awaited<ReturnType<typeof setUp>>
