import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { playlistOf } from '../../../shared/library/encodings/playlist.ts'

const ladder = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="audio",DEFAULT=YES,URI="ladder_audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2",AUDIO="audio"
ladder_720p.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="audio"
ladder_360p.m3u8
`
const [danish, english] = [
  { language: 'da', id: 'd1' },
  { language: 'en', id: 'e1' },
]

describe('the playlist of a stream', () => {
  test('without subtitles is what the encoder wrote', () => {
    assert.equal(playlistOf(ladder, []), ladder)
  })

  test('names each language once, and offers all of them with every variant', () => {
    const lines = playlistOf(ladder, [danish!, english!]).split('\n')
    assert.deepEqual(
      lines.filter((line) => line.includes('TYPE=SUBTITLES')),
      [
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="Dansk",LANGUAGE="da",AUTOSELECT=YES,DEFAULT=NO,FORCED=NO,URI="subtitles_da_d1.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",AUTOSELECT=YES,DEFAULT=NO,FORCED=NO,URI="subtitles_en_e1.m3u8"',
      ],
    )
    const variants = lines.filter((line) => line.startsWith('#EXT-X-STREAM-INF'))
    assert.equal(variants.length, 2)
    for (const variant of variants) assert.match(variant, /,AUDIO="audio",SUBTITLES="subtitles"$/)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('#') && line !== ''),
      ['ladder_720p.m3u8', 'ladder_360p.m3u8'],
    )
  })

  test('keeps the names of renditions apart where two languages are called the same', () => {
    const names = playlistOf(
      ladder,
      ['nb', 'no', 'nn'].map((language) => ({ language, id: '1' })),
    ).matchAll(/TYPE=SUBTITLES.*?NAME="([^"]*)"/g)
    const all = [...names].map(([, name]) => name)
    assert.equal(new Set(all).size, 3, all.join())
  })
})
