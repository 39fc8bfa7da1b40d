import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, onTestFinished, test } from 'vitest'
import type { ByteRange, ObjectReader } from '../../../shared/backends/objects/port.ts'
import { readInOrder } from '../../../shared/backends/objects/ranged-reading.ts'
import { within } from '../../../shared/deadline.ts'
import { WHOLE_BYTES } from '../../../shared/library/imports/fetch-original.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { digestInRuns } from '../../../shared/library/jobs/digest-in-runs.ts'
import { type Again, endRun, jobInHand } from '../../../shared/library/jobs/run.ts'
import { replacementCreation } from '../../../shared/library/media/files.ts'
import { askForImport, importJob } from '../../../shared/library/media/importing.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { md5Of } from '../../../shared/tools/digest.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { writeOutline } from '../../../shared/tools/outline.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import { mp4 } from '../../support/pictures/index.ts'
import { REPLACER } from '../../support/replacing.ts'

const MiB = 1024 ** 2

/** A box of an MP4 file with a size of 64 bits, as it is written for films above 4 GiB. */
function largeBoxHeader(type: string, bytes: number): Buffer {
  const header = Buffer.alloc(16)
  header.writeUInt32BE(1, 0)
  header.write(type, 4, 'latin1')
  header.writeBigUInt64BE(BigInt(bytes), 8)
  return header
}

/** An object made of pieces at places, zeros elsewhere; and how many bytes were read of it. */
function sparseObject(bytes: number, pieces: Record<number, Buffer>) {
  let read = 0
  const contents = (start: number, end: number): Buffer => {
    const range = Buffer.alloc(end - start)
    for (const [at, piece] of Object.entries(pieces).map(([place, piece]) => [Number(place), piece] as const)) {
      const [from, to] = [Math.max(start, at), Math.min(end, at + piece.length)]
      if (from < to) piece.copy(range, from - start, from - at, to - at)
    }
    return range
  }
  const objects = {
    async get(key: string, range?: ByteRange) {
      const [start, end] = [range?.start ?? 0, Math.min(bytes, (range?.end ?? bytes - 1) + 1)]
      read += end - start
      return { key, bytes, etag: 'one', modified: 0, contentType: '', stream: Readable.from([contents(start, end)]) }
    },
  } as unknown as ObjectReader
  return { objects, object: { key: 'a', etag: 'one', bytes }, contents, read: () => read }
}

async function temporaryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outline-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'file')
}

describe('the outline of a large file', () => {
  test('has its ends and the boxes of a film, wherever they are, and little of the disk', async () => {
    const [size, at] = [700 * MiB, 300 * MiB]
    const ftyp = mp4(['vide']).subarray(0, mp4(['vide']).readUInt32BE(0))
    const moov = Buffer.concat([largeBoxHeader('moov', 3 * MiB), randomBytes(3 * MiB - 16)])
    const rest = size - at - moov.length
    const film = sparseObject(size, {
      0: ftyp,
      [ftyp.length]: largeBoxHeader('mdat', at - ftyp.length),
      [at]: moov,
      [at + moov.length]: largeBoxHeader('mdat', rest),
      [size - 10]: randomBytes(10),
    })
    const path = await temporaryPath()
    await writeOutline(path, size, (start, end) => readInOrder(film.objects, film.object, { start, end }))
    const outline = await readFile(path)
    assert.equal(outline.length, size)
    for (const [start, end] of [
      [0, 32 * MiB],
      [at, at + moov.length],
      [size - 32 * MiB, size],
    ] as const) {
      assert.ok(outline.subarray(start, end).equals(film.contents(start, end)), `${start} to ${end}`)
    }
    assert.ok(film.read() < 70 * MiB, `${film.read()} bytes were read`)
    assert.ok((await stat(path)).blocks * 512 < 100 * MiB)
  })
})

describe('reading in order', () => {
  test('gives all bytes, and reads a piece again that breaks off', async () => {
    const bytes = randomBytes(40 * MiB)
    const { objects, object } = sparseObject(bytes.length, { 0: bytes })
    let calls = 0
    const breaking = {
      async get(key: string, range?: ByteRange) {
        const got = await objects.get(key, range)
        return ++calls % 2 === 0 ? got : { ...got, stream: Readable.from([Buffer.from('short')]) }
      },
    } as unknown as ObjectReader
    const md5 = createHash('md5')
    for await (const piece of readInOrder(breaking, object)) md5.update(piece)
    assert.equal(md5.digest('hex'), createHash('md5').update(bytes).digest('hex'))
  })
})

test('a film above the size of what is fetched whole is imported, and replaced, with its facts and digests, by as many runs as it takes', async () => {
  const stores = await openImportStores()
  const { table, uploads, media } = stores
  const exiftool = createExifTool()
  onTestFinished(() => exiftool.close())
  const film = mp4(['vide'])
  // Free space behind the film makes it large; on the disk it is a hole.
  const bytes = WHOLE_BYTES + 10 * MiB
  const path = await temporaryPath()
  await writeFile(path, Buffer.concat([film, largeBoxHeader('free', bytes - film.length)]))
  await truncate(path, bytes)
  await uploads.putFile('upload/file', path, { contentType: 'application/octet-stream' })
  const importing = { state: 'importing', progress: 0 } as const
  await putMedia(table, { mediaId: 1, ...importing, uploadKey: 'upload/file', filename: 'film.mp4', kind: undefined })
  await table.transact({ job: askForImport(stores, { companyId: COMPANY, mediaId: toMediaId(1) }) })
  const library = { ...stores, exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe() }
  const imports = async (size: number, number: number | undefined) => {
    let runs = 0
    for (let again: Again | undefined = {}; again; runs += 1) {
      const job = (await claimNext(stores, importJob.name, undefined, 60_000))!
      const digestObject = digestInRuns(stores, jobInHand(job))
      // A second of each run is the digest's.
      again = await within(301_000, () => importMedia(library, toMediaId(1), { digestObject }))
      await endRun(stores, job, again)
    }
    assert.ok(runs > 1)
    const file = (await table.get<StoredMedia>(mediaKey(toMediaId(1))))!
    assert.deepEqual([file.state, file.kind, file.bytes, file.fileNumber], ['available', 'video', size, number])
    assert.equal(file.md5, await md5Of(createReadStream(path, { highWaterMark: MiB })))
    assert.equal((await media.head(objectKeys.original(file)))?.bytes, size)
  }
  await imports(bytes, undefined)
  await truncate(path, bytes + 1)
  await uploads.putFile('upload/other', path, { contentType: 'application/octet-stream' })
  const replacement = { mediaId: toMediaId(1), companyId: COMPANY, id: 'other', filename: 'film.mp4', uploadKey: 'upload/other' }
  const { by, clock } = stores
  await table.transact({
    replacement: replacementCreation({ ...replacement, bytes: bytes + 1, created: clock.now(), uploadedBy: REPLACER, by }),
    job: askForImport(stores, replacement),
  })
  await imports(bytes + 1, 2)
})
