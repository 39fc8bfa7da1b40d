import type { ObjectReader } from '../../backends/objects/port.ts'
import type { TableScanner } from '../../backends/table/port.ts'
import { CONSOLE_FILES } from '../links/public-keys.ts'
import { GENERIC_THUMBNAIL_KEY } from '../media/delivery.ts'
import { everyObject, everyScanned } from '../pages.ts'
import { PLAYER_FILES } from '../videos/objects.ts'
import type { StoredVideo } from '../videos/video.ts'
import { isByItself } from './files.ts'
import { isChecked } from './items.ts'
import { addressOf, kindOf } from './keys.ts'
import type { CheckedLibrary, Subject } from './library.ts'
import { UsageCount } from './usage.ts'
import { streamPrefix, streamPrefixes } from './videos.ts'

/** The sums of the walk over the table. */
interface Sums {
  /** Prefixes of the streams that videos have. */
  streams: Set<string>
  usage: UsageCount
}

/**
 * Lists all subjects: one walk over the table, then one over the objects. Leaves out streams that a record names, and companies whose disk usage
 * adds up.
 * @param deep whether originals are to be read
 */
export async function* everySubject({ scanner, media, publicFiles }: CheckedLibrary, deep: boolean): AsyncGenerator<Subject> {
  const sums: Sums = { streams: new Set(), usage: new UsageCount() }
  yield* subjectsOfTable(scanner, sums, deep)
  if (media) yield* subjectsOfMedia(media)
  if (publicFiles) yield* subjectsOfPublicFiles(publicFiles, sums.streams)
  for (const company of sums.usage.wrongCompanies()) yield { kind: 'usage', id: company }
}

/** The items of one partition come together. */
async function* subjectsOfTable(scanner: TableScanner, { streams, usage }: Sums, deep: boolean): AsyncGenerator<Subject> {
  let last = ''
  for await (const item of everyScanned(scanner)) {
    const { pk } = item
    const [kind, isFirst] = [kindOf(item), pk !== last]
    last = pk
    usage.add(item)
    if (kind === 'MEDIA VIDEO') for (const stream of streamPrefixes(item as StoredVideo)) streams.add(stream)
    if (isFirst && kind.startsWith('COMPANY ')) yield { kind: 'folders', id: pk }
    if (isFirst && kind.startsWith('MEDIA ')) yield { kind: 'file', id: pk }
    if (deep && kind === 'MEDIA MEDIA') yield { kind: 'original', id: pk }
    if (isChecked(item)) yield { kind: 'item', id: addressOf(item), item }
  }
}

/** The objects of one file come together. */
async function* subjectsOfMedia(media: ObjectReader): AsyncGenerator<Subject> {
  let file: { prefix: string; sizes: Map<string, number> } | undefined
  for await (const { key, bytes } of everyObject(media, '')) {
    const prefix = /^\d+\/\d+\//.exec(key)?.[0]
    if (file && prefix !== file.prefix) {
      yield { kind: 'objects', id: file.prefix, sizes: file.sizes }
      file = undefined
    }
    if (prefix !== undefined) file ??= { prefix, sizes: new Map() }
    if (key === GENERIC_THUMBNAIL_KEY) continue
    if (file && !isByItself(key)) file.sizes.set(key, bytes)
    else yield { kind: 'object', id: key }
  }
  if (file) yield { kind: 'objects', id: file.prefix, sizes: file.sizes }
}

async function* subjectsOfPublicFiles(publicFiles: ObjectReader, streams: ReadonlySet<string>): AsyncGenerator<Subject> {
  let last = ''
  for await (const { key } of everyObject(publicFiles, '')) {
    // The console and the player belong to the deployment.
    if (key.startsWith(CONSOLE_FILES) || key.startsWith(PLAYER_FILES)) continue
    const stream = streamPrefix(key)
    if (stream === undefined) yield { kind: 'public', id: key }
    else if (stream !== last && !streams.has(stream)) yield { kind: 'stream', id: stream }
    last = stream ?? ''
  }
}
