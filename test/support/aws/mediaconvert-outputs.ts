import { tmpdir } from 'node:os'
import type { CreateJobCommandInput, Output } from '@aws-sdk/client-mediaconvert'
import type { S3Client } from '@aws-sdk/client-s3'
import { encodeJob } from '../../../infra/local/jobs/transcoding/encode-job.ts'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { encodeVideo } from '../../../shared/tools/video/encode-video.ts'
import type { PreviewOutput, Rung, Sound, StreamOutput, VideoSource } from '../../../shared/vocabulary/video.ts'
import { ffmpeg, runFfmpeg } from '../videos.ts'
import { JobError, type StandInOptions } from './mediaconvert.ts'

/** Makes what a job of MediaConvert says, by ffmpeg, in the buckets that it names. */
export function transcodeByFfmpeg(client: S3Client): StandInOptions['transcode'] {
  return async (input, signal) => {
    const encoder = ffmpeg
    if (!encoder) throw new JobError(1999, 'this machine has no ffmpeg')
    const source = placeOf(input.Settings!.Inputs![0]!.FileInput!)
    const { bucket, output, hasAudio } = wantedBy(input)
    const isPadded = input.Settings!.Inputs![0]!.VideoSelector?.PadVideo === 'BLACK'
    const { width, height } = output.kind === 'preview' ? output : output.rungs[0]!
    const facts: VideoSource['facts'] = { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio, isHdr: false }
    const results = s3Objects({ bucket, client })
    const from = s3Objects({ bucket: source.bucket, client })
    // MediaConvert gives an object a type and no other label.
    const put = (key: string, path: string, { contentType }: { contentType: string }) => results.putFile(key, path, { contentType })
    try {
      const mime = (await from.head(source.key))?.contentType ?? ''
      await encodeJob(
        { source: { key: source.key, mime, width, height, facts }, output },
        {
          encode: async (encoding) => {
            const wanted = encoding.output.kind === 'stream' && isPadded && { stillSeconds: await secondsAfterPictures(encoding.path) }
            return encodeVideo({ ffmpeg: encoder, ...encoding, output: { ...encoding.output, ...wanted } })
          },
          media: { fetch: (key, path) => from.fetch(key, path), putFile: put },
          publicFiles: { putFile: put },
          temporaryDirectory: tmpdir(),
          signal,
        },
      )
    } catch (error) {
      if (error instanceof ObjectMissing) throw new JobError(1404, `Unable to open input file [s3://${source.bucket}/${source.key}]`)
      if (error instanceof ToolFailed) throw new JobError(1010, error.message)
      throw error
    }
  }
}

/**
 * Seconds for which the sound of a video goes on after its pictures. MediaConvert pads by itself ("Pad video", User Guide). By default it pads
 * nothing that it documents: then sound and pictures end when they do here.
 */
async function secondsAfterPictures(path: string): Promise<number> {
  const end = async (tracks: string) => {
    const { stdout } = await runFfmpeg(['-v', 'error', '-i', path, '-map', tracks, '-c', 'copy', '-progress', 'pipe:1', '-f', 'null', '-'])
    return Number(/^out_time_us=(\d+)/m.exec(stdout.slice(stdout.lastIndexOf('out_time_us=')))?.[1] ?? 0) / 1_000_000
  }
  return Math.max(0, (await end('0:a')) - (await end('0:V:0')))
}

/** What a job is to make, read back from its settings. */
function wantedBy({ Settings }: CreateJobCommandInput): { bucket: string; output: PreviewOutput | StreamOutput; hasAudio: boolean } {
  const [{ OutputGroupSettings, Outputs = [] } = {}] = Settings!.OutputGroups!
  const { CmafGroupSettings: cmaf, FileGroupSettings: file } = OutputGroupSettings!
  const { bucket, key } = placeOf((cmaf ?? file)!.Destination!)
  const hasAudio = Outputs.some(({ AudioDescriptions }) => AudioDescriptions !== undefined)
  const videos = Outputs.filter(({ VideoDescription }) => VideoDescription !== undefined).map(rungOf)
  if (cmaf) {
    const prefix = key.slice(0, key.lastIndexOf('/') + 1)
    return { bucket, output: { kind: 'stream', prefix, rungs: videos, sounds: Outputs.flatMap(soundsIn) }, hasAudio }
  }
  const { name: _, ...size } = videos[0]!
  return { bucket, output: { kind: 'preview', key: `${key}.${Outputs[0]!.Extension}`, ...size }, hasAudio }
}

function rungOf({ NameModifier = '', VideoDescription }: Output): Rung {
  const { Width = 0, Height = 0, CodecSettings } = VideoDescription!
  return {
    name: NameModifier.slice(1),
    width: Width,
    height: Height,
    maxBitsPerSecond: CodecSettings!.H264Settings!.MaxBitrate!,
  }
}

/** An output of sound. Tracks without 5.1 come once more in the group of those that have it. */
function soundsIn({ NameModifier = '', ContainerSettings, AudioDescriptions: [audio] = [] }: Output): Sound[] {
  if (!audio || NameModifier.endsWith('_stereo')) return []
  return [
    {
      part: NameModifier.slice(1),
      track: Number(audio.AudioSourceName!.split(' ').at(-1)) - 1,
      channels: audio.CodecSettings!.AacSettings!.CodingMode === 'CODING_MODE_5_1' ? 6 : 2,
      name: audio.StreamName!,
      language: audio.CustomLanguageCode ?? null,
      isDefault: ContainerSettings!.CmfcSettings!.AudioTrackType === 'ALTERNATE_AUDIO_AUTO_SELECT_DEFAULT',
    },
  ]
}

/** Of `s3://bucket/key`. */
function placeOf(address: string): { bucket: string; key: string } {
  const { host, pathname } = new URL(address)
  return { bucket: host, key: decodeURIComponent(pathname.slice(1)) }
}
