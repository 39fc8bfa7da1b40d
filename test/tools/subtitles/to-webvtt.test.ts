import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { UnusableSubtitles } from '../../../shared/tools/subtitles/cue.ts'
import { subtitleLimits, toWebVtt } from '../../../shared/tools/subtitles/to-webvtt.ts'

const VTT = 'text/vtt'
const SRT = 'application/x-subrip'

const converted = (text: string, type: string) => toWebVtt(Buffer.from(text), type)
/** The converted text without its header. */
const cuesOf = (text: string, type = text.startsWith('WEBVTT') ? VTT : SRT) => converted(text, type).slice('WEBVTT\n\n'.length)
const vtt = (...blocks: string[]) => ['WEBVTT', ...blocks].join('\n\n')
const srt = (...lines: string[]) => ['1', '00:00:01,000 --> 00:00:02,000', ...lines].join('\n')
const TIMES = '00:00:01.000 --> 00:00:02.000'

function assertRefused(text: string, message: string, type = text.startsWith('WEBVTT') ? VTT : SRT): void {
  assert.throws(() => converted(text, type), new UnusableSubtitles(message), text.slice(0, 200))
}

describe('SubRip', () => {
  test('becomes WebVTT: header, times with a point, no numbers', () => {
    const file = '1\n00:00:01,000 --> 00:00:02,500\nHello\nworld\n\n2\n01:02:03,004 --> 01:02:05,000\nBye\n'
    const expected = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\nworld\n\n01:02:03.004 --> 01:02:05.000\nBye\n'
    assert.equal(converted(file, SRT), expected)
    assert.equal(converted(file.replaceAll('\n', '\r\n'), SRT), expected)
    assert.equal(converted(file, 'application/octet-stream'), expected, 'of no type that is known')
    assert.equal(converted(`\ufeff\n${file}\n\n`, SRT), expected)
  })

  test('is read in UTF-8 and in UTF-16 that says so', () => {
    const file = srt('Smørrebrød 日本語')
    const expected = `${TIMES}\nSmørrebrød 日本語\n`
    const little = Buffer.from(`\ufeff${file}`, 'utf16le')
    for (const bytes of [Buffer.from(file), Buffer.from(`\ufeff${file}`), little, Buffer.from(little).swap16()])
      assert.ok(toWebVtt(bytes, SRT).endsWith(expected))
    for (const bytes of [Buffer.from(file, 'latin1'), little.subarray(2), Buffer.from([0xff, 0xd8, 0xff])])
      assert.throws(() => toWebVtt(bytes, SRT), /^UnusableSubtitles: The subtitles must be text in UTF-8/)
  })

  test('keeps bold, italics and underlining; other tags go, and what only looks like one stays as text', () => {
    const texts = {
      '<b>a</b> <I>b</I> <u>c</u>': '<b>a</b> <i>b</i> <u>c</u>',
      '<font color="#ff0000">red</font>': 'red',
      'a < b & c > d': 'a &lt; b &amp; c &gt; d',
      'I <3 you --> me': 'I &lt;3 you --&gt; me',
      '<script>alert(1)</script>': 'alert(1)',
      '&lt;b&gt;': '&amp;lt;b&amp;gt;',
      'a\u0000b': undefined,
      'a\u0007b': 'ab',
    }
    for (const [text, expected] of Object.entries(texts))
      if (expected) assert.equal(cuesOf(srt(text)), `${TIMES}\n${expected}\n`, text)
      else assert.throws(() => converted(srt(text), SRT), UnusableSubtitles)
  })

  test('takes over where a text stands, and no other code of SubStation Alpha', () => {
    const settings = {
      '{\\an8}Up': ' line:0',
      'Up{\\b1\\an7\\fs20}': ' line:0 position:0% align:left',
      '{\\an6}Up': ' line:50% position:100% align:right',
      '{\\an2}Up': '',
      '{\\pos(10,20)}Up': '',
    }
    for (const [text, expected] of Object.entries(settings)) assert.equal(cuesOf(srt(text)), `${TIMES}${expected}\nUp\n`, text)
    assert.equal(cuesOf(srt('{curly}')), `${TIMES}\n{curly}\n`)
  })

  test('that is wrong is refused with the line', () => {
    const LIKE = 'must be the times of a cue, like 00:01:02,500 --> 00:01:05,000'
    assertRefused('Hello', `Line 1: ${LIKE}.`)
    assertRefused('{"a":1}', `Line 1: ${LIKE}.`)
    assertRefused(`${srt('Hello')}\n\n2\n00:00:03,000 -> 00:00:04,000\nworld`, `Line 6: ${LIKE}.`)
    assertRefused('1\n\nHello', 'Line 2: the times of the cue are missing.')
    assertRefused('12', 'Line 1: the times of the cue are missing.')
    assertRefused('1\n00:00:02,000 --> 00:00:01,000\nHello', 'Line 2: the cue must end after it begins.')
    for (const empty of ['', '\n\n', '\ufeff', srt(''), srt('<font>')])
      assertRefused(empty, 'The subtitles must have at least one cue with a text.')
  })
})

describe('WebVTT', () => {
  test('stays as it is where it is plain', () => {
    const file = vtt(
      '1\n00:00:01.000 --> 00:00:02.000 line:0 position:20%,line-left align:start\n<v Tom>Hi <i>you</i>',
      '00:00:01.000 --> 01:00:00.000\nBye\n',
    )
    assert.equal(converted(file, VTT), file)
    assert.equal(converted(file, SRT), file, 'its bytes say more than its type')
    assert.equal(converted(converted(file, VTT), VTT), file)
  })

  test('loses header, styles, regions, comments and settings that no player knows', () => {
    const file = [
      'WEBVTT - film\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000',
      'STYLE\n::cue { background: url(https://example.com/x) }',
      'REGION\nid:r\nwidth:40%',
      'NOTE nothing\nmore',
      `00:01.000 --> 00:02.000 region:r line:5,end size:200% onclick:x\nHi`,
    ].join('\n\n')
    assert.equal(cuesOf(file), `${TIMES} line:5,end\nHi\n`)
  })

  test('keeps its own tags and references, and no others', () => {
    const texts = {
      '<c.loud>a</c> <lang en-GB>b</lang> <ruby>c<rt>d</rt></ruby> <00:01.500>e':
        '<c.loud>a</c> <lang en-GB>b</lang> <ruby>c<rt>d</rt></ruby> <00:01.500>e',
      '<v Tom & Jerry>a</v>': '<v Tom &amp; Jerry>a</v>',
      '<img src=x onerror=alert(1)>a': 'a',
      'a &amp; b &nbsp; c & d &lt;': 'a &amp; b &nbsp; c &amp; d &lt;',
      '1 < 2': '1 &lt; 2',
    }
    for (const [text, expected] of Object.entries(texts)) assert.equal(cuesOf(vtt(`${TIMES}\n${text}`)), `${TIMES}\n${expected}\n`, text)
  })

  test('that is wrong is refused with the line', () => {
    const LIKE = 'must be the times of a cue, like 00:01:02.500 --> 00:01:05.000'
    for (const file of ['Hello', 'WEBVTTX', srt('Hello'), '', '\nWEBVTT'])
      assertRefused(file, 'Line 1: must be WEBVTT, alone or before a blank.', VTT)
    assertRefused(vtt('00:01 --> 00:02\nHello'), `Line 3: ${LIKE}.`)
    assertRefused(vtt('00:00:01,000 --> 00:00:02,000\nHello'), `Line 3: ${LIKE}.`)
    assertRefused(vtt('00:61.000 --> 00:62.000\nHello'), `Line 3: ${LIKE}.`)
    assertRefused(vtt('00:02.000 --> 00:02.000\nHello'), 'Line 3: the cue must end after it begins.')
    assertRefused(vtt('Hello\nworld'), 'Line 3: the times of the cue are missing.')
    assertRefused(vtt(`${TIMES}\nHello\n00:03.000 --> 00:04.000\nworld`), 'Line 5: an empty line must come before the next cue.')
    assertRefused(vtt('00:03.000 --> 00:04.000\nb', `${TIMES}\na`), 'Line 6: the cue must not begin before the one above it.')
    for (const empty of ['WEBVTT', vtt('NOTE nothing'), vtt(TIMES)])
      assertRefused(empty, 'The subtitles must have at least one cue with a text.')
  })
})

describe('limits', () => {
  const cues = (count: number) => vtt(...Array.from({ length: count }, () => `${TIMES}\na`))

  test('hold for cues, and for the bytes that are stored', () => {
    assert.equal(converted(cues(subtitleLimits.cues), VTT).match(/-->/g)?.length, subtitleLimits.cues)
    assertRefused(cues(subtitleLimits.cues + 1), 'The subtitles must have at most 10000 cues.')
    assertRefused('\n'.repeat(100_000), 'The subtitles must have at most 100000 lines.')
    assertRefused(srt('&'.repeat(300_000)), 'The subtitles must be at most 1048576 bytes as WebVTT.')
  })

  test('a line that was made to take long takes as long as any other', () => {
    const length = subtitleLimits.bytes / 4
    for (const filling of ['{\\an1', '\\an1', '<v a', '</', '&#1', ' ', '00:00:01,000 ', '1\n', '\r', '{\\']) {
      const filled = filling.repeat(length / filling.length)
      for (const file of [srt(`{${filled}`), vtt(`${TIMES}\n<${filled}`), vtt(`${TIMES} ${filled}\na`), filled, `WEBVTT ${filled}`])
        for (const type of [VTT, SRT])
          try {
            converted(file, type)
          } catch (error) {
            assert.ok(error instanceof UnusableSubtitles, `${filling}: ${error}`)
          }
    }
  })
})
