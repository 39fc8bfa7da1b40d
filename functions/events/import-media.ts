import { queueConsumer } from '../../shared/events/consumer.ts'
import type { ImportResources } from '../../shared/library/imports/import-media.ts'
import { markDelayed } from '../../shared/library/imports/progress.ts'
import type { ExifTool } from '../../shared/tools/metadata/exiftool.ts'

/** Kept between imports: starting Perl takes longer than reading tags. Its processes end by themselves when idle. */
let exiftool: ExifTool | undefined

export const importMedia = queueConsumer({
  summary: 'Imports a finalized upload: digests, type, tags, metadata, renditions',
  trigger: { queue: 'imports' },
  uses: { table: 'write', uploads: 'consume', media: 'write' },
  timeoutSeconds: 900,
  memoryMb: 3008,
  temporaryMb: 10_240,
  tools: ['sharp', 'imagemagick', 'exiftool'],
  async handle({ message, receives, lastTry, table, uploads, media, clock, log }) {
    const { mediaId } = message
    try {
      await importWithTools({ table, uploads, media, clock }, mediaId, lastTry)
    } catch (error) {
      log.error('import failed', { media: mediaId, receives, error })
      if (lastTry) await markDelayed(table, mediaId)
      throw error
    }
  },
})

/** The tools are loaded with the first import only: whoever just reads the table of events has no use for them. */
async function importWithTools(resources: Omit<ImportResources, 'exiftool'>, mediaId: number, isLast: boolean): Promise<void> {
  const [{ importMedia: run }, { createExifTool }] = await Promise.all([
    import('../../shared/library/imports/import-media.ts'),
    import('../../shared/tools/metadata/exiftool.ts'),
  ])
  exiftool ??= createExifTool()
  await run({ ...resources, exiftool }, mediaId, isLast)
}
