import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { removeFiles } from '../../../functions/jobs/remove-files.ts'
import { removeNumbers } from '../../../functions/jobs/remove-numbers.ts'
import { jobs } from '../../../functions/jobs.ts'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import type { Item, Table } from '../../../shared/backends/table/port.ts'
import { companyKey } from '../../../shared/library/accounts/companies.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { cancelJob } from '../../../shared/library/jobs/operator.ts'
import { timeIn } from '../../../shared/library/jobs/states.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { type FormerFile, formerFiles } from '../../../shared/library/media/files.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { mediaKey, replacementKey } from '../../../shared/library/media/keys.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { SUPERSEDED_MS } from '../../../shared/library/media/sweep-job.ts'
import { reservationKey, reservedIn } from '../../../shared/library/usage/reservations.ts'
import { NO_USAGE, usageOfCompany } from '../../../shared/library/usage/usage.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { instead } from '../../support/instead.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import { images } from '../../support/pictures/index.ts'
import { quickInspection } from '../../support/quick-inspection.ts'
import { finalizeReplacement, REPLACER, replaceFile } from '../../support/replacing.ts'

const FILE = toMediaId(1)
const PREFIX = objectKeys.prefix({ companyId: COMPANY, mediaId: FILE })
const UPLOAD_KEY = 'upload/first.jpg'

/** A picture that differs from others by its last byte. */
const picture = async (n: number) => Buffer.concat([await images['plain.jpg'](), Buffer.from([n])])

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** A library with an imported picture, whose metadata was edited. */
async function setUp() {
  const stores = await openImportStores()
  const library = { ...stores, ...(await quickInspection()) }
  const { table, uploads, media: objects } = library
  await uploads.put(UPLOAD_KEY, await picture(0), { contentType: 'application/octet-stream' })
  const importing = { state: 'importing', progress: 0, copyright: 'Of the first file' } as const
  await putMedia(table, { mediaId: 1, ...importing, uploadKey: UPLOAD_KEY, filename: 'first.jpg', kind: undefined, created: 5 })
  await importMedia(library, FILE)
  /** The stores, each behind a proxy, through which the bucket can't copy from another. */
  const through = (proxied: <Port extends object>(port: Port) => Port) => {
    const copying = instead(objects, { copy: (source, key, labels) => objects.copy({ ...source, from: uploads }, key, labels) })
    return { table: proxied(table), media: proxied(copying), uploads: proxied(uploads) }
  }
  const read = async () => (await getMedia(library, FILE)) as AvailableMedia
  const finalize = async (n: number | Buffer, given: Parameters<typeof finalizeReplacement>[3] = {}) => {
    const replacement = await finalizeReplacement(library, FILE, typeof n === 'number' ? await picture(n) : n, given)
    await table.put({ ...reservationKey(COMPANY, replacement.uploadKey), bytes: replacement.bytes })
    return replacement
  }
  const run = (others: Partial<typeof library> = {}, options: Parameters<typeof importMedia>[2] = {}) =>
    importMedia({ ...library, ...others }, FILE, options)
  const runAll = async () => {
    while (await run()) {}
    await runDueJobs(library as { table: Table; clock: typeof library.clock }, removeNumbers)
  }
  const numbers = async () => {
    const { fileNumber = 1, md5 } = await read()
    const former = (await formerFiles(library, FILE)).map((each) => [each.fileNumber, each.state === 'available' ? each.md5 : 'failed'])
    return [[fileNumber, md5], ...former]
  }
  const keys = async () => (await objects.list('')).objects.map(({ key }) => key.slice(PREFIX.length))
  const items = async () => (await table.query<Item>({ pk: mediaKey(FILE).pk })).items.map(({ sk }) => sk.split('#')[0]!)
  return { ...library, library, through, read, finalize, run, runAll, numbers, keys, items }
}
type World = Awaited<ReturnType<typeof setUp>>

const FIRST_OBJECTS = ['original', 'renditions/1x1', 'tags.json']
const below = (id: string) => FIRST_OBJECTS.map((name) => `files/${id}/${name}`)

/** That nothing waits, each number has its objects and nothing else is stored, and all is counted once. */
async function assertWhole(world: World): Promise<void> {
  const { library, read, keys, items, media: objects, uploads } = world
  const media = await read()
  const available = (former: FormerFile) => former.state === 'available'
  const files = [media, ...((await formerFiles(library, FILE)).filter(available) as (FormerFile & AvailableMedia)[])]
  const stored = new Map(files.map((file) => [file.stored, file.bytes]))
  const expected = [...stored.keys()].flatMap((id) => (id === undefined ? FIRST_OBJECTS : below(id)))
  assert.deepEqual((await keys()).sort(), expected.sort())
  for (const { stored: id, md5: sum } of files) {
    const { stream } = await objects.get(objectKeys.original({ ...media, stored: id }))
    assert.equal(md5(await buffer(stream)), sum)
  }
  const bytes = stored.values().reduce((total, each) => total + each, 0)
  const versionBytes = bytes - media.bytes
  assert.deepEqual(await usageOfCompany(library, COMPANY), { bytes, files: 1, versionBytes })
  assert.equal(media.versionBytes ?? 0, versionBytes)
  assert.ok(!(await items()).includes('REPLACEMENT'))
  assert.deepEqual((await uploads.list('')).objects, [])
  assert.equal(await reservedIn(library, COMPANY), 0)
}

describe('importing a replacement', () => {
  test('gives the file all that the new one says of itself, in one step of its version, and keeps what was edited', async () => {
    const world = await setUp()
    const { library, read, finalize, runAll, clock } = world
    await editMetadata(library, [FILE], () => ({ title: { en: 'Edited' } }))
    const before = await read()
    clock.advance(10)
    const by = { kind: 'operator', command: 'replaces' } as const
    const { id } = await finalize(1, { filename: 'second.jpg', comment: 'Brighter', by })
    await runAll()
    const { md5: sum, stored, lastNumber, ...after } = await read()
    assert.deepEqual([sum, String(stored), lastNumber], [md5(await picture(1)), id, 2])
    assert.deepEqual([after.version, after.revision, after.lastStep?.count, after.by], [3, before.revision + 1, 2, by])
    assert.deepEqual([after.fileNumber, after.fileBy, after.fileCreated, after.comment], [2, REPLACER, clock.now(), 'Brighter'])
    assert.deepEqual([after.filename, after.created, after.uploadedBy], ['second.jpg', 5, before.uploadedBy])
    assert.deepEqual([after.title, after.copyright], [{ en: 'Edited' }, 'Of the first file'])
    assert.deepEqual(after.renditions['110px']?.key, `${PREFIX}files/${id}/renditions/1x1`)
    const [former] = await formerFiles(library, FILE)
    assert.partialDeepStrictEqual(former, { fileNumber: 1, state: 'available', filename: 'first.jpg', fileCreated: 5, md5: before.md5 })
    await assertWhole(world)
  })

  test('leaves the file available, with the old file, until all of it has changed', async () => {
    const { read, finalize, run, library } = await setUp()
    await finalize(1)
    const before = await read()
    const seen: unknown[] = []
    const media = instead(library.media, {
      put: async (key, body, labels) => {
        seen.push(await read())
        return library.media.put(key, body, labels)
      },
    })
    await run({ media })
    assert.ok(seen.length > 0)
    for (const media of seen) assert.deepEqual(media, before)
  })

  test('wherever a run ends, the file is the old one or the new one, and the next run leaves nothing behind', async () => {
    const other = Buffer.from('no picture')
    const [first, second] = [md5(await picture(0)), md5(await picture(1))]
    const cases: [name: string, given: (world: World) => Promise<unknown>, numbers: unknown[]][] = [
      [
        'another picture',
        ({ finalize }) => finalize(1),
        [
          [2, second],
          [1, first],
        ],
      ],
      [
        'no picture',
        ({ finalize }) => finalize(other),
        [
          [1, first],
          [2, 'failed'],
        ],
      ],
      ['the same picture', ({ finalize }) => finalize(0), [[1, first]]],
      [
        'a former picture',
        async ({ library, finalize }) => {
          await replaceFile(library, FILE, await picture(1))
          await finalize(0)
        },
        [
          [3, first],
          [2, second],
          [1, first],
        ],
      ],
      [
        'a version of another library',
        async (world) => {
          await thirdOfFour(world)
          await world.finalize(1, { former: { fileNumber: 2, fileCreated: 7 } })
        },
        [
          [3, first],
          [2, second],
        ],
      ],
      [
        'a version of another library with the bytes of the current file',
        async (world) => {
          await thirdOfFour(world)
          await world.finalize(0, { former: { fileNumber: 1, fileCreated: 7 } })
        },
        [
          [3, first],
          [1, first],
        ],
      ],
    ]
    for (const [name, given, numbers] of cases) {
      let runs = 0
      for (let isCut = true; isCut; runs++) {
        for (const when of ['before', 'after'] as const) {
          const world = await setUp()
          await given(world)
          const old = await world.read()
          const faults = new Faults(runs + 1, when)
          await unlessEnded(world.run(world.through((port) => faults.in(port))))
          const between = await world.read()
          if (between.version === old.version) assert.deepEqual(withoutNumbers(between), withoutNumbers(old))
          const { stream } = await world.media.get(objectKeys.original(between))
          assert.equal(md5(await buffer(stream)), between.md5, `${name}, ${when} call ${runs + 1}`)
          await world.runAll()
          assert.deepEqual(await world.numbers(), numbers, `${name}, ${when} call ${runs + 1}`)
          await assertWhole(world)
          isCut = faults.hasFailed
        }
      }
      assert.ok(runs > 8, `${name}: cut at ${runs} calls`)
    }
  })

  test('deliveries that come twice, at the same time and late are one step', async () => {
    const world = await setUp()
    await world.finalize(1)
    await Promise.all([world.run(), world.run(), world.run()])
    await editMetadata(world.library, [FILE], () => ({ title: { en: 'Edited' } }))
    await world.run()
    const { version, fileNumber } = await world.read()
    assert.deepEqual([version, fileNumber], [3, 2])
    await assertWhole(world)
  })

  test('thirty at once become numbers in the order of their finalizing, also where the clock goes back', async () => {
    const world = await setUp()
    for (let n = 1; n <= 30; n++) {
      world.clock.ms -= 1_000
      await world.finalize(n)
    }
    await world.runAll()
    const expected = await Promise.all(Array.from({ length: 31 }, async (_, n) => [n + 1, md5(await picture(n))]))
    assert.deepEqual(await world.numbers(), expected.toReversed())
    await assertWhole(world)
  })

  test('keeps edits that come while it runs', async () => {
    const world = await setUp()
    await world.finalize(1)
    const { library } = world
    const edits = [{ title: { en: 'Meanwhile' } }, { copyright: 'Meanwhile' }]
    const media = instead(library.media, {
      put: async (key, body, labels) => {
        const edit = edits.shift()
        if (edit) await editMetadata(library, [FILE], () => edit)
        return library.media.put(key, body, labels)
      },
    })
    await world.run({ media })
    const { title, copyright, version, fileNumber } = await world.read()
    assert.deepEqual([title, copyright, version, fileNumber], [{ en: 'Meanwhile' }, 'Meanwhile', 4, 2])
    const labels = await getJob(library, `label-pictures.${FILE}`)
    assert.equal(labels?.asked, 2, 'its pictures say the former copyright')
    await assertWhole(world)
  })

  test('uses what is stored of a former number with equal bytes, without inspection', async () => {
    const world = await setUp()
    await replaceFile(world.library, FILE, await picture(1))
    await world.finalize(0, { filename: 'again.jpg' })
    await world.run({ renderer: () => Promise.reject(new Error('inspects')) })
    const { fileNumber, stored, filename, versionBytes } = await world.read()
    assert.deepEqual([fileNumber, stored, filename, versionBytes], [3, undefined, 'again.jpg', (await picture(1)).length])
    assert.ok(await getJob(world.library, `label-pictures.${FILE}`), 'its pictures say the copyright of then')
    await world.runAll()
    await assertWhole(world)
  })

  test('of the bytes of the current file makes no number, no step and no change', async () => {
    const world = await setUp()
    const before = await world.read()
    await world.finalize(0)
    await world.runAll()
    assert.deepEqual(await world.read(), before)
    assert.deepEqual(await formerFiles(world.library, FILE), [])
    await assertWhole(world)
  })

  test('that is no picture, or broken, fails under a number of its own; the file stays as it is, and the next one goes on', async () => {
    const world = await setUp()
    const before = await world.read()
    const { id } = await world.finalize(Buffer.from('no picture'), { comment: 'Oops' })
    await world.table.update(replacementKey(FILE, (await world.finalize(1)).id), { set: { attempts: 3 } })
    await world.finalize(2)
    assert.deepEqual(await world.run(), {}, 'others wait')
    const after = await world.read()
    assert.deepEqual(withoutNumbers(after), withoutNumbers(before))
    assert.deepEqual([after.version, after.lastNumber], [before.version, 2])
    assert.ok(!(await world.keys()).some((key) => key.includes(id)))
    await world.runAll()
    const { md5: sum } = before
    assert.deepEqual(await world.numbers(), [
      [4, md5(await picture(2))],
      [3, 'failed'],
      [2, 'failed'],
      [1, sum],
    ])
    const { comment, fileBy, bytes } = (await formerFiles(world.library, FILE)).find(({ fileNumber }) => fileNumber === 2)!
    assert.deepEqual([comment, fileBy, bytes], ['Oops', REPLACER, 10])
    await assertWhole(world)
  })

  test('that failed leaves nothing of a run that lost its job, stored more and died', async () => {
    const world = await setUp()
    const { id } = await world.finalize(Buffer.from('no picture'))
    await world.runAll()
    await world.media.put(`${PREFIX}files/${id}/original`, Buffer.from('no picture'), { contentType: 'text/plain' })
    world.clock.advance(900)
    await world.runAll()
    await assertWhole(world)
    assert.equal(await getJob(world.library, `remove-numbers.${FILE}-${id}`), undefined)
  })

  test('of another library becomes its number there, with all that was said of it, once, and is no step', async () => {
    const world = await setUp()
    await thirdOfFour(world)
    const before = await world.read()
    const said = { filename: 'then.jpg', comment: 'Of then', former: { fileNumber: 2, fileCreated: 7, pinned: true } }
    const broken = { former: { fileNumber: 1, fileCreated: 3, pinned: true } }
    for (const _ of [1, 2]) {
      await world.finalize(1, said)
      await world.finalize(Buffer.from('no picture'), broken)
    }
    await world.runAll()
    const after = await world.read()
    assert.deepEqual([after.version, after.fileNumber, after.lastNumber, after.filename], [before.version, 3, 4, before.filename])
    const [second, first, ...more] = await formerFiles(world.library, FILE)
    const expected = { fileNumber: 2, fileCreated: 7, fileBy: REPLACER, filename: 'then.jpg', comment: 'Of then', pinned: true }
    assert.partialDeepStrictEqual(second, { ...expected, md5: md5(await picture(1)), state: 'available' })
    assert.partialDeepStrictEqual(first, { ...broken.former, state: 'failed' })
    assert.deepEqual(more, [])
    const sweep = await getJob(world.library, `sweep-files.${FILE}-import`)
    assert.equal(sweep && timeIn(sweep), world.clock.now() + SUPERSEDED_MS, 'the company may keep fewer')
    await assertWhole(world)
    await world.finalize(2)
    await world.runAll()
    assert.equal((await world.read()).fileNumber, 5)
  })

  test('whose job the operator cancels fails, as do all that wait, and the file stays as it is', async () => {
    const world = await setUp()
    const { library, read } = world
    const before = await read()
    await world.finalize(1)
    await world.finalize(2)
    assert.ok(await cancelJob(library, `import-media.${FILE}`, jobs['import-media'].cancelled))
    assert.equal(await getJob(library, `import-media.${FILE}`), undefined)
    assert.deepEqual(withoutNumbers(await read()), withoutNumbers(before))
    assert.deepEqual(await world.numbers(), [
      [1, before.md5],
      [3, 'failed'],
      [2, 'failed'],
    ])
    await world.runAll()
    await assertWhole(world)
  })

  test('fails at the last attempt for a fault of its own, and waits through every outage', async () => {
    const world = await setUp()
    await world.finalize(1)
    const put = (error: Error) => instead(world.media, { put: () => Promise.reject(error) })
    await assert.rejects(world.run({ media: put(new ObjectsUnavailable('down')) }, { lastTry: true }), ObjectsUnavailable)
    await assert.rejects(world.run({ media: put(new RangeError('a mistake of ours')) }), RangeError)
    assert.deepEqual((await world.items()).filter((kind) => kind === 'REPLACEMENT').length, 1)
    assert.equal((await world.read()).delayed, undefined)
    await world.run({ media: put(new RangeError('a mistake of ours')) }, { lastTry: true })
    assert.deepEqual(await world.numbers(), [
      [1, md5(await picture(0))],
      [2, 'failed'],
    ])
    await world.runAll()
    await assertWhole(world)
  })

  test('counts attempts that crash, and gives up after three', async () => {
    const world = await setUp()
    const { id } = await world.finalize(1)
    const dying = () => new Promise<never>(() => {})
    for (let crashes = 1; crashes <= 3; crashes++) {
      void world.run({ renderer: dying })
      while ((await world.table.get(replacementKey(FILE, id)))?.attempts !== crashes) await new Promise(setImmediate)
    }
    await world.runAll()
    assert.deepEqual(await world.numbers(), [
      [1, md5(await picture(0))],
      [2, 'failed'],
    ])
  })

  test('asks for keywords for the new picture alone', async () => {
    const world = await setUp()
    await world.table.put({ ...companyKey(COMPANY), companyId: COMPANY, suggestions: true })
    await world.table.update(mediaKey(FILE), { set: { suggestedKeywords: ['old'], suggestedAt: 1 } })
    const { renderer } = world
    const large: typeof renderer = async (...input) => {
      const { renditions, ...rest } = await renderer(...input)
      return { ...rest, renditions: renditions.map((each) => ({ ...each, size: '1200px' })) }
    }
    await world.finalize(1)
    await world.run({ renderer: large })
    const { suggestedKeywords, suggestionsWanted, suggestedAt } = await world.read()
    assert.deepEqual([suggestedKeywords, suggestionsWanted, suggestedAt], [[], world.clock.now(), undefined])
    assert.ok(await getJob(world.library, `suggest-keywords.${FILE}`))
  })

  test('waits for another run when time runs out for the digest of a large file', async () => {
    const world = await setUp()
    await world.finalize(1)
    const uploads = instead(world.uploads, { get: async (key) => ({ ...(await world.uploads.get(key)), bytes: 2 ** 32 }) })
    assert.deepEqual(await world.run({ uploads }, { digestObject: async () => undefined }), {})
    await world.runAll()
    assert.equal((await world.read()).fileNumber, 2)
  })

  test('leaves nothing of a file that is purged meanwhile, whenever that is', async () => {
    let calls = 0
    for (let isPurged = true; isPurged; ) {
      calls += 1
      const world = await setUp()
      await replaceFile(world.library, FILE, await picture(1))
      await world.finalize(2)
      await world.finalize(3)
      let call = 0
      const purging = <Port extends object>(port: Port) =>
        new Proxy(port, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name, target)
            if (typeof value !== 'function') return value
            return async (...input: unknown[]) => {
              if (++call === calls) {
                await changePointers(world.library, FILE, () => new Map())
                await runDueJobs(world.library as { table: Table; clock: typeof world.clock }, removeFiles)
              }
              return value.apply(target, input)
            }
          },
        })
      await world.run(world.through(purging)).catch(() => undefined)
      isPurged = call >= calls
      if (!isPurged) break
      await world.runAll()
      assert.deepEqual([await world.keys(), (await world.uploads.list('')).objects], [[], []], `purged at call ${calls}`)
      assert.deepEqual(await world.items(), ['TOMBSTONE'], `purged at call ${calls}`)
      assert.deepEqual(await usageOfCompany(world.library, COMPANY), NO_USAGE)
      assert.equal(await reservedIn(world.library, COMPANY), 0)
    }
    assert.ok(calls > 12, `${calls}`)
  })
})

/** A record without what changes where numbers come that don't become current. */
const withoutNumbers = ({ lastNumber, versionBytes, by, feedKey, changedAt, revision, ...rest }: AvailableMedia) => rest

/** A file whose current number is 3, and that had one more, as an import of an export leaves it. */
const thirdOfFour = ({ table }: World) => table.update(mediaKey(FILE), { set: { fileNumber: 3, lastNumber: 4 } })
