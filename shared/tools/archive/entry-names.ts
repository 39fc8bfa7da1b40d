/** Longest name that file systems take, in bytes of UTF-8. */
const MAX_BYTES = 255
/** Kept free in names that get a number: ` (1000000)`. */
const NUMBER_BYTES = 10

/**
 * What Windows refuses in names, separators of paths among it; control characters, line separators and the controls that turn text around
 * (U+202A to U+202E, U+2066 to U+2069), with which `gpj.exe` reads `exe.jpg`.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const REFUSED = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
/** Windows drops them, so that two names become one. */
const REFUSED_AT_THE_END = /[. ]+$/
/** `.` and `..` where a reader that splits at separators takes them for folders. */
const OTHER_FOLDERS = /(?<=^|[/\\])\.{1,2}(?=[/\\]|$)/g
/** Names of devices, whatever follows the first dot. @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i
/** What follows the last dot, with a letter in it: a dot of a number (`Portrait v1.2`) begins no extension. */
const EXTENSION = /(?<=.)\.(?=.*\p{L})[^.\s]{1,16}$/u

/**
 * Names of what one folder of an archive holds, such as every system can unpack: composed Unicode (NFC), `_` in place of what Windows
 * refuses, at most 255 bytes. Names that Windows or macOS takes for the same are numbered, ` (2)` before the extension. The first that
 * asks for a name gets it: asked in the same order, names are the same.
 */
export class EntryNames {
  readonly #taken = new Set<string>()
  readonly #lastNumbers = new Map<string, number>()

  /** @param wanted any text @param kind files keep their extension. Folders and files share the names of their folder */
  unique(wanted: string, kind: 'file' | 'folder'): string {
    const { stem, extension } = parts(harmless(wanted), kind)
    const name = fitting(stem, extension, MAX_BYTES)
    if (this.#take(name)) return name
    // Long names that differ only in what is cut off count together, so that each is numbered at once.
    const start = cut(stem, MAX_BYTES - NUMBER_BYTES - Buffer.byteLength(extension))
    const counted = comparable(`${start}/${extension}`)
    for (let number = (this.#lastNumbers.get(counted) ?? 1) + 1; ; number += 1) {
      const numbered = `${start} (${number})${extension}`
      this.#lastNumbers.set(counted, number)
      if (this.#take(numbered)) return numbered
    }
  }

  /** @returns whether it was free */
  #take(name: string): boolean {
    const compared = comparable(name)
    if (this.#taken.has(compared)) return false
    this.#taken.add(compared)
    return true
  }
}

function harmless(wanted: string): string {
  const name = wanted.toWellFormed().normalize('NFC').replace(OTHER_FOLDERS, '_').replace(REFUSED, '_').replace(REFUSED_AT_THE_END, '_')
  return name === '' || DEVICE.test(name) ? `_${name}` : name
}

function parts(name: string, kind: 'file' | 'folder'): { stem: string; extension: string } {
  const extension = kind === 'file' ? (EXTENSION.exec(name)?.[0] ?? '') : ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

function fitting(stem: string, extension: string, bytes: number): string {
  const start = cut(stem, bytes - Buffer.byteLength(extension))
  return extension === '' ? start.replace(REFUSED_AT_THE_END, '_') : start + extension
}

/** The beginning of a text, at most so many bytes of it, no character in halves. */
function cut(text: string, bytes: number): string {
  const encoded = Buffer.from(text)
  let end = Math.min(bytes, encoded.length)
  while (end < encoded.length && (encoded[end]! & 0xc0) === 0x80) end -= 1
  return encoded.toString('utf8', 0, end)
}

/** The same for names that a file system without regard to case takes for the same. */
function comparable(name: string): string {
  // First in small letters: `ẞ` is a capital already, and stays apart from `SS`, to which `ß` becomes.
  return name.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}
