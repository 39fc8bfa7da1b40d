/** Names of folders as one path: `/` between them. A backslash precedes `/` and `\` in a name. */
export const folderPath = (names: readonly string[]): string => names.map((name) => name.replaceAll(/[/\\]/g, '\\$&')).join('/')

/** The names in a path, of the top first. Empty ones are left out. */
export function folderNames(path: string): string[] {
  const names = ['']
  for (const [, escaped, plain = ''] of path.matchAll(/\\([/\\])|([\s\S])/gu)) {
    if (plain === '/') names.push('')
    else names.push(`${names.pop()}${escaped ?? plain}`)
  }
  return names.map((name) => name.trim().normalize('NFC')).filter(Boolean)
}
