import assert from 'node:assert/strict'
import { test } from 'vitest'
import { playlistOf } from '../../../shared/library/videos/playlist.ts'

const ladder = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="audio",DEFAULT=YES,URI="ladder_audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2",AUDIO="audio"
ladder_720p.m3u8
`

test('a playlist keeps the names of renditions apart where two languages are called the same', () => {
  const names = playlistOf(
    ladder,
    ['nb', 'no', 'nn'].map((language) => ({ language, id: '1' })),
  ).matchAll(/TYPE=SUBTITLES.*?NAME="([^"]*)"/g)
  const all = [...names].map(([, name]) => name)
  assert.equal(new Set(all).size, 3, all.join())
})
