import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { mediaKey, type StoredMedia } from '../../shared/library/media/keys.ts'
import { isAvailable, type MediaRecord } from '../../shared/library/media/media.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'

/** Follows the imports of files in a server's table, without asking the server. */
export function importsIn(dataDirectory: string): {
  finished(mediaIds: readonly number[]): Promise<MediaRecord[]>
  untilFinished(mediaIds: readonly number[]): Promise<MediaRecord[]>
} & Disposable {
  const table = openEmbeddedTable(embeddedLayout(dataDirectory).table)
  /** Those of the files whose import has finished. */
  async function finished(mediaIds: readonly number[]): Promise<MediaRecord[]> {
    return (await table.getMany<StoredMedia>(mediaIds.map(toMediaId).map(mediaKey))).filter(isAvailable)
  }
  return {
    finished,
    /** Waits until the imports of all of them have. */
    async untilFinished(mediaIds) {
      for (;;) {
        const files = await finished(mediaIds)
        if (files.length === mediaIds.length) return files
        await sleep(100)
      }
    },
    [Symbol.dispose]: () => table.close(),
  }
}
