import assert from 'node:assert/strict'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { ObjectMissing, type Objects } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { originalOnDemand } from '../../../shared/library/downloads/on-demand.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { invalidateEdges } from '../../../shared/library/links/invalidate-edges.ts'
import { readManifest } from '../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { available, findMedia } from '../../../shared/library/media/find.ts'
import { stateOf } from '../../../shared/library/media/link.ts'
import { objectKeys, storedTags } from '../../../shared/library/media/objects.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { putMedia } from '../../support/media.ts'
import { images } from '../../support/pictures/index.ts'
import { quickInspection } from '../../support/quick-inspection.ts'
import { finalizeReplacement } from '../../support/replacing.ts'
import type { TestClock } from '../../support/test-clock.ts'
import { writer } from '../downloads/set-up.ts'
import { setUpIn } from '../links/set-up.ts'

/** Where the service keeps things, in one of its homes. */
export interface Stores {
  table: Table
  uploads: Objects
  media: Objects
  publicFiles: Objects
  clock: TestClock
}

const FILE = toMediaId(1)
const [REPLACEMENTS, READERS] = [20, 50]

/** A picture that ends with its number. */
const picture = async (number: number) => Buffer.concat([await images['plain.jpg'](), Buffer.from(`#${number}`)])
const numberIn = (bytes: Buffer): number => Number(/#(\d+)(?: with \{.*)?$/s.exec(bytes.toString('latin1'))?.[1])
const nameOf = (number: number): string => `number-${number}.jpg`
const numberNamed = (text = ''): number => Number(/number-(\d+)\.jpg/.exec(text)?.[1])

/** Tools that find the number of a picture: it is its width, and what its tags say. */
async function numberedInspection(): Promise<Awaited<ReturnType<typeof quickInspection>>> {
  const inspecting = await quickInspection()
  const numberOf = async (path: string) => numberIn(await readFile(path))
  return {
    ...inspecting,
    exiftool: instead(inspecting.exiftool, {
      readTags: async (path) => ({ printed: { EXIF: { Model: await numberOf(path) } }, texts: {} }),
    }),
    renderer: async (path, _, into) => {
      const rendition = join(into, 'rendition')
      await copyFile(path, rendition)
      const width = await numberOf(path)
      return {
        renditions: [{ size: '320px', path: rendition, mime: 'image/jpeg', width, height: 1, bytes: 1 }],
        width,
        height: 1,
        thumbhash: 'hash',
      }
    },
  }
}

/** An imported picture with a published link, what replaces it, and what reads it. */
async function setUp(stores: Stores) {
  const { table, uploads, media, publicFiles, clock } = stores
  const world = await setUpIn({ table, media, publicFiles, clock })
  const library = { ...world.library, uploads, media, settings: defaultSettings, ...(await numberedInspection()) }
  await uploads.put('upload/1', await picture(1), { contentType: 'image/jpeg' })
  const importing = { state: 'importing', progress: 0, title: { en: 'Title' }, kind: undefined } as const
  await putMedia(table, { mediaId: FILE, folders: [world.folder.folderId], ...importing, uploadKey: 'upload/1', filename: nameOf(1) })
  while (await importMedia(library, FILE)) {}
  const { linkId, alias } = await world.create(FILE)
  const link = { linkId, alias }
  await world.publish(link)
  const bytesOf = async (objects: Pick<Objects, 'get'>, key: string) => numberIn(await buffer((await objects.get(key)).stream))
  const read = async () => available(await findMedia(library, FILE))
  return {
    /** Imports a picture in place of the file, in runs of which the first ends at a call. */
    async replace(number: number, faults: Faults): Promise<void> {
      await finalizeReplacement(library, FILE, await picture(number), { filename: nameOf(number) })
      const copying = instead(media, { copy: (source, key, labels) => media.copy({ ...source, from: uploads }, key, labels) })
      const ports = { table: faults.in(table), media: faults.in(copying), uploads: faults.in(uploads) }
      await unlessEnded(importMedia({ ...library, ...ports }, FILE))
      while (await importMedia(library, FILE)) {}
    },
    /** Publishes it, likewise, until edges know. */
    async publish(faults: Faults): Promise<void> {
      const ports = { table: faults.in(table), publicFiles: faults.in(publicFiles) }
      await unlessEnded(world.publish(link, { ...world.publishing, ...ports }))
      await world.publish(link)
      await invalidateEdges({ ...world.publishing, log: world.making.log, clock: clock.hasty, edgeCache: embeddedEdgeCache() }, () => false)
      const current = await read()
      assert.equal(stateOf(await world.link(linkId), current), 'active')
    },
    /** What readers see, as the numbers of all its parts. */
    reading: {
      async document() {
        const current = await read()
        const { fileNumber = 1, filename, width, renditions } = current
        const tags = await storedTags(media, current)
        const rendition = await bytesOf(media, renditions['320px']!.key)
        const parts = [await bytesOf(media, objectKeys.original(current)), rendition, Number((tags.EXIF as { Model: number }).Model)]
        return [fileNumber, numberNamed(filename), width!, ...parts]
      },
      async download() {
        const current = await read()
        const { key } = await originalOnDemand({ ...library, clock: systemClock, exiftool: writer() }, current)
        return [current.fileNumber ?? 1, await bytesOf(media, key)]
      },
      async link() {
        const { stream, disposition } = await publicFiles.get(publicKeys.copy(link))
        return [numberIn(await buffer(stream)), ...(disposition === undefined ? [] : [numberNamed(disposition)])]
      },
      async rendering() {
        const { stream } = await publicFiles.get(publicKeys.manifest(link))
        const manifest = readManifest(await buffer(stream))
        const source = await bytesOf(publicFiles, publicKeys.original(linkId, manifest)).catch((error: unknown) => {
          // It was published anew since: renderers read the manifest again.
          if (!(error instanceof ObjectMissing)) throw error
        })
        return [numberNamed(manifest.filename), manifest.width!, manifest.file, ...(source === undefined ? [] : [source])]
      },
    },
  }
}

/** A file whose replacements, and their publications, are killed at each of their calls. */
export function readersSuite(name: string, open: () => Promise<Stores>): void {
  describe(`a file that is replaced, ${name}`, () => {
    test('is the old or the new one to 50 readers wherever its import and its publication end', async () => {
      const { replace, publish, reading } = await setUp(await open())
      let [current, active, begun, isOver] = [1, 1, 1, false]
      const kinds = Object.keys(reading) as (keyof typeof reading)[]
      const seen = new Map(kinds.map((kind) => [kind, new Set<number>()]))
      const look = async (kind: (typeof kinds)[number]) => {
        const least = kind === 'document' || kind === 'download' ? current : active
        const numbers = await reading[kind]().catch((error: unknown) => {
          // Who makes the same copy is waited for.
          if (!(error instanceof Conflict)) throw error
        })
        if (!numbers) return
        const [number = 0] = numbers
        assert.ok(
          numbers.every((each) => each === number),
          `${kind} is of several: ${numbers.join(', ')}`,
        )
        assert.ok(number >= least && number <= begun, `${kind} is ${number}, between ${least} and ${begun}`)
        seen.get(kind)!.add(number)
      }
      const readers = Array.from({ length: READERS }, async (_, at) => {
        for (; !isOver; await sleep(250)) await look(kinds[at % kinds.length]!)
      })
      const watched = Promise.all(readers).finally(() => {
        isOver = true
      })
      // Told at the end.
      watched.catch(() => undefined)
      for (let number = 2; number <= REPLACEMENTS + 1 && !isOver; number += 1) {
        const failing = number - 1
        begun = number
        await replace(number, new Faults(failing, number % 2 ? 'before' : 'after'))
        current = number
        await publish(new Faults(failing, number % 2 ? 'after' : 'before'))
        active = number
        for (const kind of kinds) await look(kind)
      }
      isOver = true
      await watched
      for (const numbers of seen.values()) assert.equal(numbers.size, REPLACEMENTS + 1)
    }, 600_000)
  })
}
