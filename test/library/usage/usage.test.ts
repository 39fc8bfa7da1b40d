import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { type CountedMedia, usageChange, usageChanges, usageOfCompany, usageOfUser } from '../../../shared/library/usage/usage.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { toCompanyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const COMPANIES = [201, 202].map(toCompanyId)
const USERS = [301, 302, 303].map(toUserId)
const [COMPANY, USER] = [COMPANIES[0]!, USERS[0]!]

const NOTHING = { bytes: 0, files: 0 }

const Files = fc.uniqueArray(
  fc.record({
    mediaId: fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(toMediaId),
    companyId: fc.constantFrom(...COMPANIES),
    uploadedBy: fc.constantFrom(...USERS),
    bytes: fc.integer({ min: 0, max: 2 ** 41 }),
  }),
  { selector: ({ mediaId }) => mediaId, minLength: 1, maxLength: 40 },
)

const sum = (files: readonly CountedMedia[]) => ({ bytes: files.reduce((bytes, file) => bytes + file.bytes, 0), files: files.length })

test('counts of several files at once are one operation per item, and add up to those of each file', () =>
  fc.assert(
    fc.asyncProperty(Files, Files, async (added, removed) => {
      const { table } = openTestTable()
      await table.transact(usageChanges([...added, ...removed], 1))
      for (const file of removed) await table.transact({ usage: usageChange(file, -1) })
      for (const companyId of COMPANIES) {
        const of = added.filter((file) => file.companyId === companyId)
        assert.deepEqual(await usageOfCompany({ table }, companyId), sum(of))
        for (const userId of USERS) {
          assert.deepEqual(await usageOfUser({ table }, userId, [companyId]), sum(of.filter(({ uploadedBy }) => uploadedBy === userId)))
        }
      }
      assert.deepEqual(await usageOfUser({ table }, USER, COMPANIES), sum(added.filter(({ uploadedBy }) => uploadedBy === USER)))
    }),
    { numRuns: 15 },
  ))

test('a user whose id begins with the same digits is another user', async () => {
  const { table } = openTestTable()
  await table.transact(
    usageChanges(
      [USER, toUserId(USER * 10 + 2)].map((uploadedBy) => ({ mediaId: toMediaId(1), companyId: COMPANY, uploadedBy, bytes: 10 })),
      1,
    ),
  )
  assert.deepEqual(await usageOfUser({ table }, USER, [COMPANY]), { bytes: 10, files: 1 })
  assert.deepEqual(await usageOfUser({ table }, toUserId(USER * 10), [COMPANY]), NOTHING)
})

test('a file deleted while it is imported is never counted', async () => {
  const library = await setUp()
  await library.register(1, 'text')
  await changePointers(library, toMediaId(1), () => new Map())
  await importMedia(library, toMediaId(1)).catch(() => undefined)
  assert.deepEqual(await usageOfCompany({ table: library.table }, COMPANY), NOTHING)
})

test('an import that loses the race for the file counts nothing', async () => {
  const library = await setUp()
  await library.register(1, 'text')
  let raced = false
  const racing = new Proxy(library.table, {
    get(target, name) {
      if (name === 'transact' && !raced) {
        return async (operations: Parameters<Table['transact']>[0]) => {
          raced = true
          await importMedia(library, toMediaId(1))
          return target.transact(operations)
        }
      }
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await importMedia({ ...library, table: racing }, toMediaId(1))
  assert.ok(raced)
  assert.deepEqual(await usageOfCompany({ table: library.table }, COMPANY), { bytes: 4, files: 1 })
})

async function setUp() {
  const { table, clock, by } = openTestTable()
  const directory = await mkdtemp(join(tmpdir(), 'usage-test-'))
  const uploads = openEmbeddedObjects(join(directory, 'uploads'), clock)
  const media = openEmbeddedObjects(join(directory, 'media'), clock)
  const exiftool = createExifTool()
  onTestFinished(async () => {
    await exiftool.close()
    uploads.close()
    media.close()
    await rm(directory, { recursive: true, force: true })
  })
  async function register(mediaId: number, text: string) {
    const uploadKey = `upload/${mediaId}.txt`
    await uploads.put(uploadKey, Buffer.from(text), { contentType: 'application/octet-stream' })
    await putMedia(table, {
      mediaId,
      companyId: COMPANY,
      uploadedBy: USER,
      state: 'importing',
      progress: 0,
      uploadKey,
      filename: `${mediaId}.txt`,
      kind: undefined,
    })
  }
  return {
    table,
    clock,
    by,
    uploads,
    media,
    exiftool,
    renderer: createRenderer(exiftool),
    videoProbe: createVideoProbe(),
    settings: defaultSettings,
    register,
  }
}
