import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { streamOutput } from '../../../shared/library/videos/outputs.ts'
import { createVideoProbe, type Probed } from '../../../shared/tools/video/probe.ts'
import { Workspace } from '../../../shared/tools/workspace.ts'
import { EncodedVideo } from '../../support/encoded-video.ts'
import { readStream } from '../../support/hls.ts'
import { runFfmpeg, testVideo, withVideos } from '../../support/videos.ts'

/** Tones of tracks, in hertz. */
const TONES = [300, 700, 1_500]

/** A film with English in stereo, Danish in 5.1, which players take, and comments on it. */
async function dubbed(path: string): Promise<void> {
  const tones = TONES.flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:sample_rate=48000:duration=1`])
  const maps = TONES.flatMap((_, index) => ['-map', `${index + 1}:a`])
  await runFfmpeg([
    ...['-v', 'error', '-i', await testVideo({ sound: 'none' }), ...tones, '-map', '0:v', ...maps, '-c:v', 'copy', '-c:a', 'aac'],
    ...['-ac:a:0', '2', '-ac:a:1', '6', '-ac:a:2', '1', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=dan'],
    ...['-metadata:s:a:2', 'language=dan', '-metadata:s:a:2', 'title=Director "and" crew'],
    ...['-disposition:a:0', '0', '-disposition:a:1', 'default', '-disposition:a:2', '0', path],
  ])
}

/** How often the sound of a file passes zero in a second, from the one side, and its channels. */
async function toneOf(path: string): Promise<{ hertz: number; layout: string }> {
  const { stderr } = await runFfmpeg(['-i', path, '-af', 'aformat=channel_layouts=mono,astats=metadata=0', '-f', 'null', '-'])
  const crossings = Number(/Zero crossings rate: ([\d.]+)/.exec(stderr)![1])
  return { hertz: (crossings * 48_000) / 2, layout: /Audio: aac[^\n]* Hz, ([^,]+),/.exec(stderr)![1]! }
}

describe('the tracks of sound of a film', withVideos, () => {
  let probed: Probed
  let workspace: Workspace
  let path: string
  beforeAll(async () => {
    workspace = await Workspace.open('dubbed')
    path = workspace.path('dubbed.mkv')
    await dubbed(path)
    probed = await createVideoProbe()(path)
    return () => workspace[Symbol.asyncDispose]()
  })
  const size = { width: 320, height: 180 }
  const told = () => ({ mime: 'video/x-matroska', facts: probed.facts })

  it('are told by its container', () => {
    assert.deepEqual(probed.facts.audioTracks, [
      { language: 'en', name: null, channels: 2, isDefault: false },
      { language: 'da', name: null, channels: 6, isDefault: true },
      { language: 'da', name: 'Director  and  crew', channels: 1, isDefault: false },
    ])
  })

  it('are all in its stream, with their languages and names, and in 5.1 beside stereo', async () => {
    await using stream = await EncodedVideo.open(path, streamOutput(size, probed.facts, 'streams/x/'), told())
    const { variants, sounds } = await readStream(stream)
    const groups = new Map(variants.map(({ variant }) => [variant.audio[0]!.groupId, variant.audio]))
    const shown = [...groups].map(([group, members]) => [
      group,
      ...members.map(({ name, language, isDefault, autoselect, channels, uri }) =>
        [name, language, isDefault ? 'default' : autoselect ? 'automatic' : '', channels, uri].join(' '),
      ),
    ])
    assert.deepEqual(shown, [
      [
        'audio',
        'Dansk da default 2 ladder_audio_2.m3u8',
        'English en automatic 2 ladder_audio.m3u8',
        'Director  and  crew da  2 ladder_audio_3.m3u8',
      ],
      [
        'surround',
        'Dansk da default 6 ladder_audio_2_surround.m3u8',
        'English en automatic 2 ladder_audio.m3u8',
        'Director  and  crew da  2 ladder_audio_3.m3u8',
      ],
    ])
    assert.equal(sounds.size, 4)
    const heard: unknown[] = []
    for (const uri of [...sounds.keys()].sort()) {
      const { hertz, layout } = await toneOf(stream.path(uri))
      heard.push([uri, layout, TONES.find((tone) => Math.abs(hertz - tone) < tone / 10)])
    }
    assert.deepEqual(heard, [
      ['ladder_audio.m3u8', 'stereo', 300],
      ['ladder_audio_2.m3u8', 'stereo', 700],
      ['ladder_audio_2_surround.m3u8', '5.1', 700],
      ['ladder_audio_3.m3u8', 'stereo', 1_500],
    ])
    const [plain, surround] = ['audio', 'surround'].map((id) => variants.find(({ variant }) => variant.audio[0]!.groupId === id)!.variant)
    assert.ok(surround!.bandwidth > plain!.bandwidth)
  })

  it('are those that there are and can be decoded, whatever was told', async () => {
    const track = probed.facts.audioTracks![0]!
    const facts = { ...probed.facts, audioTracks: [...probed.facts.audioTracks!, { ...track, name: 'Missing' }] }
    await using stream = await EncodedVideo.open(path, streamOutput(size, facts, 'streams/x/'), { mime: 'video/x-matroska', facts })
    assert.equal((await readStream(stream)).sounds.size, 4)
    await using silent = await EncodedVideo.open(await testVideo({ sound: 'none' }), streamOutput(size, facts, 'streams/x/'), { facts })
    assert.equal((await readStream(silent)).sounds.size, 0)
  })
})
