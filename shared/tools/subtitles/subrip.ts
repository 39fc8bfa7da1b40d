import { type Cue, checkedTimes, type Line, UnusableSubtitles } from './cue.ts'
import { subRipText } from './cue-text.ts'
import { isBlank } from './lines.ts'

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?`
/** The line may end with pixel coordinates for some player. */
const TIMES = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(?:\s.*)?$`)
const LIKE_TIMES = /^\s*\d[\d:.,]*\s*-+>/
const NUMBER = /^\s*\d+\s*$/

/**
 * Parses SubRip (`.srt`), which has no standard: a number, times, lines of text, an empty line. Ignores the numbers, and empty lines within
 * a text. Cues may be in any order.
 * @throws UnusableSubtitles
 */
export function parseSubRip(lines: readonly Line[]): Cue[] {
  const cues: Cue[] = []
  let at = lines.findIndex((line) => !isBlank(line))
  while (at >= 0 && at < lines.length) {
    if (NUMBER.test(lines[at]!.text)) at++
    const line = lines[at]
    if (!line || isBlank(line)) throw UnusableSubtitles.at(line ?? lines.at(-1)!, 'the times of the cue are missing')
    const times = timesOf(line)
    const end = endOfText(lines, at + 1)
    cues.push(cueOf(times, lines.slice(at + 1, end)))
    at = end
  }
  return cues.sort((a, b) => a.start - b.start)
}

/** The index of the next cue's first line: its number or its times. */
function endOfText(lines: readonly Line[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const { text } = lines[at]!
    if (LIKE_TIMES.test(text)) return at
    const next = lines[at + 1]
    if (NUMBER.test(text) && next && LIKE_TIMES.test(next.text)) return at
  }
  return lines.length
}

function timesOf(line: Line): { start: number; end: number } {
  const groups = TIMES.exec(line.text)
  if (!groups) throw UnusableSubtitles.at(line, 'must be the times of a cue, like 00:01:02,500 --> 00:01:05,000')
  return checkedTimes(milliseconds(groups.slice(1, 5)), milliseconds(groups.slice(5, 9)), line)
}

function milliseconds([hours = '0', minutes, seconds, fraction = '0']: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Codes in braces are SubStation Alpha's, which many files contain. Only the place is used: `{\an8}`. */
const CODES = /\{\\[^{}]*\}/g
const PLACE = /\\an([1-9])/

function cueOf(times: { start: number; end: number }, lines: readonly Line[]): Cue {
  const codes = lines.flatMap(({ text }) => text.match(CODES) ?? []).join('')
  const place = PLACE.exec(codes)?.[1]
  const text = lines.map((line) => subRipText(line.text.replaceAll(CODES, ''))).filter((line) => line !== '')
  return { ...times, settings: place === undefined ? [] : settingsAt(Number(place)), text }
}

/** @param place like keys of a number pad: 7, 8 and 9 are the top, 1, 4 and 7 the left */
function settingsAt(place: number): string[] {
  const row = place > 6 ? ['line:0'] : place > 3 ? ['line:50%'] : []
  const column = [['position:0%', 'align:left'], [], ['position:100%', 'align:right']][(place - 1) % 3]!
  return [...row, ...column]
}
