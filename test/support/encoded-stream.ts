import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'
import { uploadAndImport } from './uploading.ts'
import { type TestVideo, testVideo } from './videos.ts'

export interface EncodedStream {
  mediaId: number
  /** URL of its playlist. */
  playlist: string
}

/** Longest time that an encoding takes on a busy machine, in milliseconds. */
const LONGEST = 300_000

/**
 * Uploads a video to the demo, with subtitles, and waits until the service has made its stream.
 * @param wanted without it, a video of 20 seconds and 480 lines
 * @param wanted.path of another film, instead
 * @param wanted.subtitles languages; the one cue of each says `This is <language>`
 */
export async function encodedStream(
  service: Service,
  { subtitles = [], path, ...video }: TestVideo & { subtitles?: readonly string[]; path?: string } = {},
): Promise<EncodedStream> {
  const authorization = await service.signIn()
  const client = await service.client(authorization)
  const bytes = await readFile(path ?? (await testVideo({ width: 854, height: 480, seconds: 20, ...video })))
  const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, 'harbour.mp4')
  for (const language of subtitles) {
    const headers = { authorization, 'content-type': 'text/vtt' }
    const body = `WEBVTT\n\n00:00.000 --> 00:20.000\nThis is ${language}\n`
    const { status } = await service.request(`/media/${id}/subtitles/${language}`, { method: 'PUT', headers, body })
    if (status !== 200) throw new Error(`putting subtitles: ${status}`)
  }
  const asked = await client['create-stream']({ params: { id: Number(id) } })
  if (asked.status !== 200) throw new Error(`asking for the stream: ${asked.status} ${JSON.stringify(asked.body)}`)
  const deadline = performance.now() + LONGEST
  for (;;) {
    const answer = await client['get-stream-url']({ params: { id: Number(id) } })
    if (answer.status === 200) return { mediaId: Number(id), playlist: answer.body.Stream }
    if (performance.now() > deadline) throw new Error('the stream took too long')
    await sleep(200)
  }
}
