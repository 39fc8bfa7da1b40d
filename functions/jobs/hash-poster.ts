import { hashPoster as hash } from '../../shared/library/imports/hash-poster.ts'
import { posterHash } from '../../shared/library/videos/video.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const hashPoster = job({
  kind: posterHash,
  group: 'long-jobs',
  summary: 'Makes the ThumbHash of a video from its poster, and writes the copyright into that',
  uses: { table: 'write', media: 'write', thumbHasher: 'use' },
  seconds: 60,
  async run({ input: { mediaId }, ...library }) {
    await hash(library, mediaId)
    return undefined
  },
})
