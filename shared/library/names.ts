/**
 * The characters that no name holds: control characters, line and paragraph separators, and the controls that turn text around (U+202A to U+202E,
 * U+2066 to U+2069), with which `gpj.exe` reads `exe.jpg`. The marks U+200E, U+200F and U+061C stay: Arabic and Hebrew names need
 * them, and they turn no letters around.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** Whether a name holds no control characters. */
export function hasNoControls(name: string): boolean {
  return !CONTROL.test(name)
}

/** Text from anywhere as one line of whole characters: control characters become spaces, lone surrogates U+FFFD. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(new RegExp(`${CONTROL.source}+`, 'g'), ' ')
    .trim()
}

/** A name without control characters. */
export function withoutControls(name: string): string {
  return name.replace(new RegExp(CONTROL, 'g'), '')
}
