import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Objects } from '../../shared/backends/objects/port.ts'
import { runFfmpeg } from './videos.ts'

const sizes = [
  { name: '720p', width: 1280, height: 720, rate: '2500k' },
  { name: '240p', width: 426, height: 240, rate: '300k' },
]

/** Puts a stream of 20 seconds in two sizes with subtitles in two languages where the service stores streams. @returns its id */
export async function storeStream(publicFiles: Pick<Objects, 'put'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'media-library-stream-'))
  const outputs = sizes.flatMap(({ name, width, height, rate }) => [
    ...[
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-s',
      `${width}x${height}`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-b:v',
      rate,
    ],
    ...['-g', '50', '-c:a', 'aac', '-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...[
      '-hls_fmp4_init_filename',
      `init_${name}.mp4`,
      '-hls_segment_filename',
      join(folder, `${name}_%05d.m4s`),
      join(folder, `${name}.m3u8`),
    ],
  ])
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=20', '-f', 'lavfi', '-i', 'sine=f=440:d=20']
  await runFfmpeg(['-v', 'error', ...source, ...outputs])
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=1280x720', '-frames:v', '1', join(folder, 'poster.jpg')])

  const id = randomBytes(16).toString('hex')
  const put = (name: string, body: string | Buffer) =>
    publicFiles.put(`streams/${id}/${name}`, Buffer.from(body), { contentType: typeOf(name) })
  for (const name of await readdir(folder)) await put(name, await readFile(join(folder, name)))
  for (const language of ['da', 'en']) {
    await put(`${language}.vtt`, `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00.000 --> 00:20.000\nThis is ${language}\n`)
    await put(
      `${language}.m3u8`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:20\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:20,\n${language}.vtt\n#EXT-X-ENDLIST\n`,
    )
  }
  await put('index.m3u8', playlist)
  await rm(folder, { recursive: true })
  return id
}

const playlist = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-INDEPENDENT-SEGMENTS',
  ...[
    ['da', 'Dansk'],
    ['en', 'English'],
  ].map(
    ([language, name]) =>
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${name}",LANGUAGE="${language}",AUTOSELECT=YES,URI="${language}.m3u8"`,
  ),
  ...sizes.map(
    ({ name, width, height, rate }) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${rate.replace('k', '000')},RESOLUTION=${width}x${height},CODECS="avc1.42c01f,mp4a.40.2",SUBTITLES="subtitles"\n${name}.m3u8`,
  ),
].join('\n')

const types: Readonly<Record<string, string>> = { m3u8: 'application/vnd.apple.mpegurl', vtt: 'text/vtt', jpg: 'image/jpeg' }
const typeOf = (name: string): string => types[name.split('.').at(-1) ?? ''] ?? 'video/mp4'
