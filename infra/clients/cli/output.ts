/** Output of a command. Standard output has the answer, in lines of text or JSON; standard error has all else. */
export class Output {
  readonly isJson: boolean
  readonly #out: (line: string) => void
  readonly #error: (line: string) => void

  constructor(isJson: boolean, out: (line: string) => void, error: (line: string) => void) {
    this.isJson = isJson
    this.#out = out
    this.#error = error
  }

  /** One line of the answer, for programs and for people. */
  line(json: object, text: string): void {
    this.#out(this.isJson ? JSON.stringify(json) : oneLine(text))
  }

  /** The last line of the answer: numbers by name. Names are shown as words. */
  summary(numbers: Record<string, number>): void {
    this.line(
      numbers,
      Object.entries(numbers)
        .map(([name, count]) => `${name.replaceAll('_', ' ')} ${counted(count)}`)
        .join(', '),
    )
  }

  /** A message for people only. */
  note(text: string): void {
    this.#error(oneLine(text))
  }
}

export const counted = (count: number): string => count.toLocaleString('en')

/** Names may contain line breaks and terminal escape sequences. */
const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is shown in another way
  text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** A size for people. */
export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`
}
