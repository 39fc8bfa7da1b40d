/** A text shown for a time. */
export interface Cue {
  /** Milliseconds since the beginning. */
  start: number
  end: number
  /** Its identifier in WebVTT, if any. */
  id?: string
  /** Settings of WebVTT: `line:0`. */
  settings: readonly string[]
  /** Lines of WebVTT's cue text, none of them empty. */
  text: readonly string[]
}

/** One line of a file, with its number from 1. */
export interface Line {
  number: number
  text: string
}

/** A file is no valid subtitles. The message is a sentence for its sender. */
export class UnusableSubtitles extends Error {
  override name = 'UnusableSubtitles'

  /** @param number number of the wrong line @param problem the end of a sentence */
  static at({ number }: Pick<Line, 'number'>, problem: string): UnusableSubtitles {
    return new UnusableSubtitles(`Line ${number}: ${problem}.`)
  }
}

/** Checks that a cue ends after it begins. @throws UnusableSubtitles */
export function checkedTimes(start: number, end: number, line: Line): { start: number; end: number } {
  if (end <= start) throw UnusableSubtitles.at(line, 'the cue must end after it begins')
  return { start, end }
}
