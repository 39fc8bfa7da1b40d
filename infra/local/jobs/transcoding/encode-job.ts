import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Objects } from '../../../../shared/backends/objects/port.ts'
import type { TranscodingJob } from '../../../../shared/backends/transcoder/port.ts'
import { streamCacheControl } from '../../../../shared/library/videos/objects.ts'
import type { EncodedFile, VideoEncoding } from '../../../../shared/tools/video/encoding.ts'
import { Workspace } from '../../../../shared/tools/workspace.ts'
import { LADDER } from '../../../../shared/vocabulary/video.ts'

/** `encodeVideo`, by the ffmpeg of this machine. @throws what it throws; NoFfmpeg where there is none */
export type Encode = (encoding: Omit<VideoEncoding, 'ffmpeg'>) => Promise<EncodedFile[]>

export interface Surroundings {
  encode: Encode
  media: Pick<Objects, 'fetch' | 'putFile'>
  publicFiles: Pick<Objects, 'putFile'>
  /** Where temporary files go: on the disk of the data, so that none is copied. */
  temporaryDirectory: string
  signal: AbortSignal
}

/** Runs a job: encodes its source and stores the results. It may run any number of times. @throws ObjectMissing, what `encode` throws */
export async function encodeJob({ source, output }: Pick<TranscodingJob, 'source' | 'output'>, surroundings: Surroundings): Promise<void> {
  const { encode, media, publicFiles, temporaryDirectory, signal } = surroundings
  await using workspace = await Workspace.open('encode', temporaryDirectory)
  const into = workspace.path('results')
  await mkdir(into)
  await media.fetch(source.key, workspace.path('source'))
  const files = await encode({ path: workspace.path('source'), source, output, into, signal })
  for (const { name, mime } of files.toSorted(ladderLast)) {
    signal.throwIfAborted()
    const path = join(into, name)
    if (output.kind === 'preview') await media.putFile(besides(output.key, name), path, { contentType: mime })
    else await publicFiles.putFile(output.prefix + name, path, { contentType: mime, cacheControl: streamCacheControl(name) })
  }
}

/** The key of an object in the folder of another one. */
const besides = (key: string, name: string) => key.slice(0, key.lastIndexOf('/') + 1) + name

/** Where the ladder is, everything that it names is. */
const ladderLast = (a: EncodedFile, b: EncodedFile) => Number(a.name === LADDER) - Number(b.name === LADDER)
