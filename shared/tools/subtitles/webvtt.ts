import { type Cue, checkedTimes, type Line, UnusableSubtitles } from './cue.ts'
import { webVttText } from './cue-text.ts'
import { isBlank } from './lines.ts'

/*
 * WebVTT (https://www.w3.org/TR/webvtt1/).
 */

const HEADER = /^WEBVTT(?:[ \t]|$)/
const TIME = String.raw`(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMES = new RegExp(String.raw`^[ \t]*${TIME}[ \t]*-->[ \t]*${TIME}(?:[ \t]+(.*))?$`)

/** Ignored blocks: comments, and styles and regions, which players choose themselves. */
const OTHER_BLOCK = /^(?:NOTE(?:[ \t].*)?|STYLE[ \t]*|REGION[ \t]*)$/

const PERCENT = String.raw`(?:100|\d{1,2})(?:\.\d+)?%`
/** Valid settings of a cue. Others are dropped, as by players. */
const SETTING = new RegExp(
  `^(?:vertical:(?:rl|lr)|size:${PERCENT}|align:(?:start|center|end|left|right)|` +
    String.raw`line:(?:-?\d{1,3}|${PERCENT})(?:,(?:start|center|end))?|position:${PERCENT}(?:,(?:line-left|center|line-right))?)$`,
)

/** Whether a file has WebVTT's header. */
export const isWebVtt = ([first]: readonly Line[]): boolean => first !== undefined && HEADER.test(first.text)

/** Parses WebVTT. Checks header, cues, their times and order. @throws UnusableSubtitles */
export function parseWebVtt(lines: readonly Line[]): Cue[] {
  if (!isWebVtt(lines)) throw UnusableSubtitles.at({ number: 1 }, 'must be WEBVTT, alone or before a blank')
  const cues: Cue[] = []
  for (const block of blocksOf(lines.slice(1))) {
    // The header extends to the first empty line.
    if (block[0]!.number === 2 && !block.some(hasArrow)) continue
    if (!OTHER_BLOCK.test(block[0]!.text)) cues.push(cueOf(block, cues.at(-1)))
  }
  return cues
}

/** Lines between empty ones. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = []
  let isOpen = false
  for (const line of lines) {
    if (isBlank(line)) isOpen = false
    else if (isOpen) blocks.at(-1)!.push(line)
    else {
      blocks.push([line])
      isOpen = true
    }
  }
  return blocks
}

const hasArrow = ({ text }: Line) => text.includes('-->')

/** @param before the previous cue */
function cueOf(block: readonly Line[], before: Cue | undefined): Cue {
  const at = hasArrow(block[0]!) ? 0 : 1
  const [line, ...text] = block.slice(at)
  if (!line || !hasArrow(line)) throw UnusableSubtitles.at(block[0]!, 'the times of the cue are missing')
  const groups = TIMES.exec(line.text)
  if (!groups) throw UnusableSubtitles.at(line, 'must be the times of a cue, like 00:01:02.500 --> 00:01:05.000')
  const { start, end } = checkedTimes(milliseconds(groups.slice(1, 5)), milliseconds(groups.slice(5, 9)), line)
  if (before && start < before.start) throw UnusableSubtitles.at(line, 'the cue must not begin before the one above it')
  const arrow = text.find(hasArrow)
  if (arrow) throw UnusableSubtitles.at(arrow, 'an empty line must come before the next cue')
  return {
    ...(at === 1 && { id: block[0]!.text.trim() }),
    ...{ start, end, settings: (groups[9] ?? '').split(/[ \t]+/).filter((setting) => SETTING.test(setting)) },
    text: text.map((each) => webVttText(each.text)).filter((each) => each !== ''),
  }
}

function milliseconds([hours = '0', minutes, seconds, fraction]: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction)
}

/** Writes WebVTT. Its first line is only `WEBVTT`. */
export function writeWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ id, start, end, settings, text }) => {
    const times = [`${timeOf(start)} --> ${timeOf(end)}`, ...settings].join(' ')
    return [...(id === undefined ? [] : [id]), times, ...text].join('\n')
  })
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`
}

function timeOf(ms: number): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) => two(Math.floor(part)))
  return `${hours}:${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}`
}

const two = (part: number) => String(part).padStart(2, '0')
