/**
 * Characters that names must not contain: control characters, line and paragraph separators, and the controls that reverse text (U+202A to
 * U+202E, U+2066 to U+2069), which show `gpj.exe` as `exe.jpg`. The marks U+200E, U+200F and U+061C are allowed: Arabic and Hebrew names
 * need them, and they reverse no letters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

export function hasNoControls(name: string): boolean {
  return !CONTROL.test(name)
}

/** Turns any text into one line of whole characters: control characters become spaces, lone surrogates U+FFFD. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(new RegExp(`${CONTROL.source}+`, 'g'), ' ')
    .trim()
}

/** Removes control characters from a name. */
export function withoutControls(name: string): string {
  return name.replace(new RegExp(CONTROL, 'g'), '')
}
