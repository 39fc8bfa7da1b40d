import { readFile, writeFile } from 'node:fs/promises'
import type { Workspace } from '../../shared/tools/workspace.ts'
import { runFfmpeg, testVideo } from './videos.ts'

/** Playlists and scripts that tell a player to open something else. @param target a file or a URL */
export const scripts: { [name: string]: (target: string) => string } = {
  'HLS playlist': (target) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`,
  'concat script': (target) => `ffconcat version 1.0\nfile '${target}'\n`,
  'DASH manifest': (target) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  'session description': () =>
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
  'QuickTime link': (target) => `RTSPtext ${target}\n`,
  'ASX playlist': (target) => `<asx version="3.0"><entry><ref href="${target}"/></entry></asx>`,
}

/** An mp4 whose pictures are said to be in another file. @param target file or URL @returns its path */
export async function elsewhere(workspace: Workspace, target: string): Promise<string> {
  const mp4 = await readFile(await testVideo({ seconds: 0.4, sound: 'none' }))
  const reference = mp4.indexOf('url ') - 4
  // Flags 0: not in this file (ISO/IEC 14496-12, 8.7.2).
  const entry = Buffer.concat([Buffer.from('0000url 0000', 'latin1'), Buffer.from(`${target}\0`)])
  entry.writeUInt32BE(entry.length, 0)
  entry.writeUInt32BE(0, 8)
  const changed = Buffer.concat([mp4.subarray(0, reference), entry, mp4.subarray(reference + 12)])
  // The boxes around it have grown. Cameras write them after the pictures, whose places stay.
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const at = changed.lastIndexOf(box, reference) - 4
    changed.writeUInt32BE(changed.readUInt32BE(at) + entry.length - 12, at)
  }
  const path = workspace.path('elsewhere.mp4')
  await writeFile(path, changed)
  return path
}

/** A part of an mp4: the first bytes. @param isFaststart its index comes first, and so is there */
export async function truncated(workspace: Workspace, share: number, isFaststart: boolean): Promise<string> {
  const bytes = await readFile(await testVideo({ seconds: 2, isFaststart }))
  const path = workspace.path(`truncated-${isFaststart}.mp4`)
  await writeFile(path, bytes.subarray(0, bytes.length * share))
  return path
}

/** An AVI of JPEGs that declare more pixels than anybody has. */
export async function enormous(workspace: Workspace): Promise<string> {
  const avi = Buffer.from(await readFile(await testVideo({ codec: 'mjpeg', container: 'avi', seconds: 0.2, sound: 'none' })))
  const start = Buffer.from('ffc00011', 'hex')
  for (let at = avi.indexOf(start); at !== -1; at = avi.indexOf(start, at + 1)) avi.fill(0xff, at + 5, at + 9)
  const path = workspace.path('enormous.avi')
  await writeFile(path, avi)
  return path
}

/** A video of so many hours, of which almost nothing is told: a frame in 100 seconds. */
export function long(hours: number): Promise<string> {
  return testVideo({ fps: 0.01, seconds: hours * 3_600, width: 64, height: 64, sound: 'none' })
}

/** Sound without a picture, but for that of its cover. */
export async function song(workspace: Workspace): Promise<string> {
  const path = workspace.path('song.mp4')
  const cover = workspace.path('cover.jpg')
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', '-frames:v', '1', cover])
  const inputs = ['-f', 'lavfi', '-i', 'sine=duration=1', '-i', cover]
  await runFfmpeg(['-v', 'error', ...inputs, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic', path])
  return path
}
