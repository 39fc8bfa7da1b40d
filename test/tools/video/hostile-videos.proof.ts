import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { Workspace } from '../../../shared/tools/workspace.ts'
import { EncodedVideo, smallPreview, type Told } from '../../support/encoded-video.ts'
import { framesOf } from '../../support/hls.ts'
import { listening } from '../../support/listening.ts'
import { runFfmpeg, testVideo, withVideos } from '../../support/videos.ts'

/** Playlists and scripts that tell a player to open something else. @param target a file or a URL */
const scripts: { [name: string]: (target: string) => string } = {
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
async function elsewhere(workspace: Workspace, target: string): Promise<string> {
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
async function truncated(workspace: Workspace, share: number, isFaststart: boolean): Promise<string> {
  const bytes = await readFile(await testVideo({ seconds: 2, isFaststart }))
  const path = workspace.path(`truncated-${isFaststart}.mp4`)
  await writeFile(path, bytes.subarray(0, bytes.length * share))
  return path
}

/** An AVI of JPEGs that declare more pixels than anybody has. */
async function enormous(workspace: Workspace): Promise<string> {
  const avi = Buffer.from(await readFile(await testVideo({ codec: 'mjpeg', container: 'avi', seconds: 0.2, sound: 'none' })))
  const start = Buffer.from('ffc00011', 'hex')
  for (let at = avi.indexOf(start); at !== -1; at = avi.indexOf(start, at + 1)) avi.fill(0xff, at + 5, at + 9)
  const path = workspace.path('enormous.avi')
  await writeFile(path, avi)
  return path
}

/** Sound without a picture, but for that of its cover. */
async function song(workspace: Workspace): Promise<string> {
  const path = workspace.path('song.mp4')
  const cover = workspace.path('cover.jpg')
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', '-frames:v', '1', cover])
  const inputs = ['-f', 'lavfi', '-i', 'sine=duration=1', '-i', cover]
  await runFfmpeg(['-v', 'error', ...inputs, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic', path])
  return path
}

const mimes = ['video/mp4', 'video/mp2t', 'video/mpeg', 'video/mp2p', 'video/x-flv', 'video/x-ms-asf', 'video/x-dv']

/** A host that nobody may ask for anything. */
let asked = 0
const host = await listening(
  createServer((socket) => {
    asked++
    socket.destroy()
  }),
)
const url = `${host.url}/film.mp4`
afterAll(host.stop)

async function refused(path: string, told: Told = {}): Promise<void> {
  await assert.rejects(EncodedVideo.open(path, smallPreview, told), (error: Error) => {
    assert.ok(error instanceof ToolFailed, String(error))
    assert.ok(!error.message.includes(path))
    return true
  })
}

describe('a hostile or broken video', withVideos, () => {
  it.for(Object.entries(scripts))(
    'is refused where it is a %s, whatever it is taken for, and nothing that it names is opened',
    async ([name, script]) => {
      await using workspace = await Workspace.open('hostile')
      const film = await testVideo()
      await copyFile(film, workspace.path('other.mp4'))
      for (const [index, target] of [url, film, 'other.mp4', `concat:${film}`].entries()) {
        const path = workspace.path(`${index}.mp4`)
        await writeFile(path, script(target))
        // Other readers fail in the same way, so each of them gets one.
        await refused(path, { mime: mimes[(index * 2 + name.length) % mimes.length] })
        await refused(path)
      }
      assert.equal(asked, 0)
    },
  )

  it('opens no other file or host for its pictures', async () => {
    await using workspace = await Workspace.open('hostile')
    const film = await testVideo({ codec: 'mpeg4' })
    for (const target of [url, `file://${film}`, film]) {
      // What it says of itself is passed over: the pictures are looked for in the video itself.
      await using encoded = await EncodedVideo.open(await elsewhere(workspace, target), smallPreview)
      assert.equal((await framesOf(encoded.path('preview.mp4'))).frames.length, 10)
    }
    assert.equal(asked, 0)
  })

  it('is refused where there is nothing to decode', async () => {
    await using workspace = await Workspace.open('hostile')
    await writeFile(workspace.path('empty'), '')
    await refused(workspace.path('empty'))
    // Begins as packets of a transport stream do.
    await writeFile(workspace.path('noise'), Buffer.alloc(100_000, 0x47))
    for (const mime of mimes) await refused(workspace.path('noise'), { mime })
    await refused(await truncated(workspace, 0.8, false))
    await refused(await song(workspace))
    await refused(await testVideo(), { mime: 'video/x-unheard-of' })
    await refused(await testVideo(), { mime: 'video/x-matroska' })
  })

  it('is refused where no film has such a codec, and is not decoded', async () => {
    await using workspace = await Workspace.open('hostile')
    for (const codec of ['zmbv', 'flashsv']) {
      const path = workspace.path(`${codec}.mkv`)
      await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x192:rate=30:duration=1', '-c:v', codec, path])
      await refused(path, { mime: 'video/x-matroska' })
    }
  })

  it('is refused when it has more pixels than are decoded, and 8K is not', async () => {
    await using workspace = await Workspace.open('hostile')
    const avi = { mime: 'video/x-msvideo' }
    await refused(await enormous(workspace), avi)
    await refused(await testVideo({ width: 8_192, height: 8_192, seconds: 0.04, codec: 'mjpeg', container: 'avi', sound: 'none' }), avi)
    const large = await testVideo({ width: 7_680, height: 4_320, seconds: 0.08, sound: 'none' })
    await using encoded = await EncodedVideo.open(large, smallPreview, { width: 7_680, height: 4_320 })
    assert.equal((await framesOf(encoded.path('preview.mp4'))).frames.length, 2)
  })
})
