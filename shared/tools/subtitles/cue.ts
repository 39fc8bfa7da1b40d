/** A text that is shown for a time. */
export interface Cue {
  /** Milliseconds since the beginning. */
  start: number
  end: number
  /** Its name in WebVTT, where it has one. */
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

/** A file is no subtitles. Its message is a sentence for whoever sent it. */
export class UnusableSubtitles extends Error {
  override name = 'UnusableSubtitles'

  /** @param number of the line that is wrong; absent where the whole is @param problem the end of a sentence */
  static at({ number }: Pick<Line, 'number'>, problem: string): UnusableSubtitles {
    return new UnusableSubtitles(`Line ${number}: ${problem}.`)
  }
}

/** A cue with times that can be. @throws UnusableSubtitles */
export function checkedTimes(start: number, end: number, line: Line): { start: number; end: number } {
  if (end <= start) throw UnusableSubtitles.at(line, 'the cue must end after it begins')
  return { start, end }
}
