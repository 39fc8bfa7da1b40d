import { queueConsumer } from '../../shared/events/consumer.ts'
import type { Importing } from '../../shared/library/imports/import-media.ts'
import { markDelayed } from '../../shared/library/media/importing.ts'
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
  async handle({ message, receives, lastTry, ...library }) {
    const { mediaId } = message
    try {
      await importWithTools(library, mediaId, lastTry)
    } catch (error) {
      library.log.error('import failed', { media: mediaId, receives, error })
      if (lastTry) await markDelayed(library, mediaId)
      throw error
    }
  },
})

/** The tools are loaded with the first import only: most processes that read the table of events import nothing. */
async function importWithTools(library: Omit<Importing, 'exiftool'>, mediaId: number, lastTry: boolean): Promise<void> {
  const [{ importMedia: run }, { createExifTool }] = await Promise.all([
    import('../../shared/library/imports/import-media.ts'),
    import('../../shared/tools/metadata/exiftool.ts'),
  ])
  exiftool ??= createExifTool()
  await run({ ...library, exiftool }, mediaId, lastTry)
}
