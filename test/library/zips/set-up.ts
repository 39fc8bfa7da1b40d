import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { checkPart, checkParts } from '../../../shared/backends/objects/composition.ts'
import { InvalidParts, type Objects, type Part, type PartRules } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { prepareDownloads } from '../../../shared/library/downloads/prepare.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { endRun } from '../../../shared/library/jobs/run.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { copiesJob } from '../../../shared/library/media/copy-job.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { contentsOf, type FolderRecord } from '../../../shared/library/tree/folder.ts'
import { type Building, buildZip } from '../../../shared/library/zips/build-zip.ts'
import { zipJob } from '../../../shared/library/zips/job.ts'
import { requestZip } from '../../../shared/library/zips/request.ts'
import { findZip, type ZipRecord } from '../../../shared/library/zips/zip.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type FolderId, type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { RenditionSize } from '../../../shared/vocabulary/rendition-size.ts'
import { instead } from '../../support/instead.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import type { TestClock } from '../../support/test-clock.ts'
import { unzipped } from '../../support/unzipped.ts'
import { writer } from '../downloads/set-up.ts'

export const never = () => false
export const always = () => true

/** Rules as S3 has them, for small files: parts of parts, borrowed bytes and all. */
export const SMALL_PARTS: PartRules = { minBytes: 100, maxBytes: 2_000, maxParts: 40, minRangeSourceBytes: 100 }

/** Storage that keeps to the rules of another one. */
function withRules(objects: Objects, partRules: PartRules): Objects {
  async function* checked(parts: AsyncIterable<Part>) {
    for await (const part of parts) {
      checkPart(part, partRules)
      const isRange = 'start' in part
      if (isRange && (await objects.head(part.copy))!.bytes <= partRules.minRangeSourceBytes)
        throw new InvalidParts(`a range of ${part.copy}`)
      yield part
    }
  }
  return instead(objects, {
    partRules,
    storeParts: (composition, parts) => objects.storeParts(composition, checked(parts)),
    async completeComposition(composition, expected) {
      checkParts(await Array.fromAsync(objects.storedParts(composition)), expected.bytes, partRules)
      return objects.completeComposition(composition, expected)
    },
  })
}

/** A company with folders and files in stores of one machine, and what makes zips of them. @param rules of storage, instead of its own */
export async function setUp(rules?: PartRules) {
  const { table, clock } = openTestTable()
  const objects = openTestObjects(clock)
  return setUpIn({ table, media: rules ? withRules(objects, rules) : objects, clock })
}

/** The same in other stores. */
export async function setUpIn<T extends Table>({ table, media, clock }: { table: T; media: Objects; clock: TestClock }) {
  const opened = { table, clock, by }
  const { companyId, admin, user, add } = await openTestCompany(opened)
  const lines: string[] = []
  const exiftool = writer()
  const building: Building = {
    ...{ ...opened, media },
    by: { kind: 'job', job: 'build-zip', run: 'test' },
    table: instead(table, {
      async transact(operations) {
        await table.transact(operations)
        if (!preparing.isHeld && Object.keys(operations).some((name) => name.startsWith('copies '))) await preparing.goOn()
      },
    } as Partial<T>),
    log: jsonLog((line) => lines.push(line)),
  }
  const library: Writing = opened
  const acting = (caller = admin) => ({ ...requestOf(library, caller), media })
  let files = 0

  /** Prepares downloads as soon as they are asked for, unless a test holds it. */
  const preparing = {
    isHeld: false,
    async goOn() {
      const jobs = { table, clock }
      for (;;) {
        const job = await claimNext(jobs, copiesJob.name, undefined, LEASE_MS)
        if (!job) return
        const { mediaIds, size } = job.input as { mediaIds: MediaId[]; size?: RenditionSize }
        await prepareDownloads({ ...jobs, by, media, exiftool }, mediaIds, size)
        await endRun(jobs, job, undefined)
      }
    },
  }
  /** Runs until no other run is to come. @returns the zip, and the number of runs */
  async function build(jobId: string, outOfTime = never, over: Building = building): Promise<{ zip: ZipRecord; runs: number }> {
    for (let runs = 1; ; runs += 1) {
      if (!(await buildZip(over, jobId, outOfTime))) return { zip: (await findZip(library, jobId))!, runs }
    }
  }
  /** Lets the jobs of zips run until none waits, as processes do. */
  async function work(outOfTime = never, over: Building = building): Promise<void> {
    const jobs = { table: over.table, clock, log: over.log }
    for (;;) {
      await reviveJobs(jobs, zipJob.name)
      const job = await claimNext(jobs, zipJob.name, undefined, LEASE_MS)
      if (!job) return
      await performJob(jobs, job, () => buildZip(over, (job.input as { zip: string }).zip, outOfTime))
    }
  }
  return {
    ...{ library, table, clock, media, companyId, admin, user, add, lines, preparing, building, acting, build, work },
    folder: (name: string, parent: FolderId | null = null) => createFolder(acting(), { name, parent }),
    /** A file with this content. Only with `mime` of a picture its download is to be prepared. */
    async file(folders: FolderRecord | readonly FolderRecord[], filename: string, content: string | Buffer, more: object = {}) {
      const held = [folders].flat()
      const bytes = Buffer.from(content)
      files += 1
      const given = { companyId, folders: held.map(contentsOf), filename, bytes: bytes.length, crc32: crc32(bytes) }
      const at = { mediaId: files, created: clock.now() + files, modified: clock.now(), mime: 'text/plain' }
      const stored = await putMedia(table, { ...at, ...given, ...more })
      await media.put(objectKeys.original(stored), bytes, { contentType: 'text/plain' })
      return toMediaId(files)
    },
    request: (folderId: FolderId, caller = admin) => requestZip(acting(caller), folderId, 'request-1'),
    /** What is in an archive that is DONE, by path. */
    async contentsOf({ archive }: ZipRecord): Promise<Record<string, string>> {
      const { stream } = await media.get(archive!)
      const entries = await unzipped(Buffer.concat(await stream.toArray()))
      return Object.fromEntries(entries.map(({ path, bytes }) => [path, bytes.toString()]))
    },
    /** Keys of everything stored of zips. */
    stored: async () => (await media.list('zips/')).objects.map(({ key }) => key),
    read: async (key: string) => text((await media.get(key)).stream),
  }
}
