/** Whether a name could be that of a sidecar: metadata beside another file. */
export const mayBeSidecar = (name: string): boolean => /\.(json|xmp)$/i.test(name)

const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.\s]*$/s, '')

/**
 * Names that a file's sidecar may have: `NAME.EXT.json` as written by downloads, `NAME.EXT.xmp`, and `NAME.xmp` as written by photo
 * programs. The first one that exists wins.
 */
export function sidecarNames(name: string): string[] {
  const whole = [`${name}.json`, `${name}.JSON`, `${name}.xmp`, `${name}.XMP`]
  return mayBeSidecar(name) ? whole : [...whole, `${stemOf(name)}.xmp`, `${stemOf(name)}.XMP`]
}

/** Finds the sidecars among the files of a folder. @param names all its files */
export function sidecarsAmong(names: readonly string[]): ReadonlySet<string> {
  const all = new Set(names)
  if (!names.some(mayBeSidecar)) return new Set()
  return new Set(names.flatMap((name) => sidecarNames(name).filter((sidecar) => all.has(sidecar))))
}

/** Whether a sidecar is JSON by its name; otherwise it is XMP. */
export const isJsonSidecar = (name: string): boolean => /\.json$/i.test(name)

/** Names of files that operating systems create beside users' files. */
export const JUNK = /^(\.DS_Store|Thumbs\.db|desktop\.ini|@eaDir|\.Spotlight-V100|\.Trashes|\.fseventsd|\._.*)$/i
