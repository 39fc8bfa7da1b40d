import { mkdir, readFile } from 'node:fs/promises'
import { encodeVideo } from '../../shared/tools/video/encode-video.ts'
import type { EncodedFile } from '../../shared/tools/video/encoding.ts'
import { Workspace } from '../../shared/tools/workspace.ts'
import { ONLY_SOUND, type PreviewOutput, type StreamOutput, type VideoFacts, type VideoSource } from '../../shared/vocabulary/video.ts'
import { ffmpeg } from './videos.ts'

/** Nothing is known of a video. */
export const unknownFacts: VideoFacts = {
  seconds: null,
  frameRate: null,
  videoCodec: null,
  audioCodec: null,
  hasAudio: null,
  isHdr: false,
}

/** Half the size of test videos, and a quarter. */
export const smallStream: StreamOutput = {
  kind: 'stream',
  prefix: 'streams/0123456789abcdef0123456789abcdef/',
  rungs: [
    { name: '90p', width: 160, height: 90, maxBitsPerSecond: 300_000 },
    { name: '44p', width: 80, height: 44, maxBitsPerSecond: 100_000 },
  ],
  sounds: [ONLY_SOUND],
}

export const smallPreview: PreviewOutput = {
  kind: 'preview',
  key: '1/1/video/x/preview.mp4',
  width: 160,
  height: 90,
  maxBitsPerSecond: 300_000,
}

/** What is told of a video beside its file. */
export type Told = Partial<Omit<VideoSource, 'key' | 'facts'>> & { facts?: Partial<VideoFacts>; signal?: AbortSignal }

/** The files of one encode, in a folder that goes with its scope: `await using`. */
export class EncodedVideo implements AsyncDisposable {
  readonly #workspace: Workspace
  readonly folder: string
  readonly files: readonly EncodedFile[]

  private constructor(workspace: Workspace, folder: string, files: readonly EncodedFile[]) {
    this.#workspace = workspace
    this.folder = folder
    this.files = files
  }

  /** Encodes a video, by default as if it were an mp4 of which nothing is known. @throws what `encodeVideo` throws */
  static async open(path: string, output: PreviewOutput | StreamOutput, told: Told = {}): Promise<EncodedVideo> {
    const workspace = await Workspace.open('encoded')
    try {
      const into = workspace.path('into')
      await mkdir(into)
      const { facts, signal = new AbortController().signal, ...rest } = told
      const source = { key: '1/1/original', mime: 'video/mp4', width: 320, height: 180, ...rest, facts: { ...unknownFacts, ...facts } }
      return new EncodedVideo(workspace, into, await encodeVideo({ ffmpeg: ffmpeg!, path, source, output, into, signal }))
    } catch (error) {
      await workspace[Symbol.asyncDispose]()
      throw error
    }
  }

  path(name: string): string {
    return `${this.folder}/${name}`
  }

  text(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace[Symbol.asyncDispose]()
  }
}
