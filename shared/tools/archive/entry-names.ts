/** Longest name that file systems allow, in bytes of UTF-8. */
const MAX_BYTES = 255
/** Bytes reserved in names that get a number: ` (1000000)`. */
const NUMBER_BYTES = 10

/**
 * Characters that Windows refuses in names, path separators included; control characters, line separators, and bidirectional controls
 * (U+202A to U+202E, U+2066 to U+2069), which make `gpj.exe` look like `exe.jpg`.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const REFUSED = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
/** Windows drops these, so different names could become the same. */
const REFUSED_AT_THE_END = /[. ]+$/
/** `.` and `..` between separators, which unpackers could take for folders. */
const OTHER_FOLDERS = /(?<=^|[/\\])\.{1,2}(?=[/\\]|$)/g
/** Names of Windows devices, whatever follows the first dot. @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i
/** The last dot and what follows, if that has a letter: the dot in a number (`Portrait v1.2`) begins no extension. */
const EXTENSION = /(?<=.)\.(?=.*\p{L})[^.\s]{1,16}$/u

/**
 * Unique names in one folder of an archive that every system can unpack: composed Unicode (NFC), `_` for what Windows refuses, at most 255
 * bytes. Names that Windows or macOS considers equal are numbered, ` (2)` before the extension. The first caller gets a name unnumbered, so
 * the same order of calls gives the same names.
 */
export class EntryNames {
  readonly #taken = new Set<string>()
  readonly #lastNumbers = new Map<string, number>()

  /** @param wanted any text @param kind files keep their extension. Files and folders share one set of names */
  unique(wanted: string, kind: 'file' | 'folder'): string {
    const { stem, extension } = parts(harmless(wanted), kind)
    const name = fitting(stem, extension, MAX_BYTES)
    if (this.#take(name)) return name
    // Long names that differ only in the cut-off part share a counter, so that finding a number takes one attempt.
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

/** The beginning of a text, at most this many bytes, in whole characters. */
function cut(text: string, bytes: number): string {
  const encoded = Buffer.from(text)
  let end = Math.min(bytes, encoded.length)
  while (end < encoded.length && (encoded[end]! & 0xc0) === 0x80) end -= 1
  return encoded.toString('utf8', 0, end)
}

/** A key that is equal for names that a case-insensitive file system considers equal. */
function comparable(name: string): string {
  // Lower case first: otherwise `ẞ`, which is a capital already, would not become `SS` like `ß`.
  return name.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}
