/** Whether a name could be that of metadata beside another file. */
export const mayBeSidecar = (name: string): boolean => /\.(json|xmp)$/i.test(name)

const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.\s]*$/s, '')

/**
 * Names that metadata beside a file may have: `NAME.EXT.json` as downloads write it, `NAME.EXT.xmp`, and `NAME.xmp` as programs for photos
 * write it. The first that is there counts.
 */
export function sidecarNames(name: string): string[] {
  const whole = [`${name}.json`, `${name}.JSON`, `${name}.xmp`, `${name}.XMP`]
  return mayBeSidecar(name) ? whole : [...whole, `${stemOf(name)}.xmp`, `${stemOf(name)}.XMP`]
}

/** Which files of a folder are metadata of another one in it. @param names of all its files */
export function sidecarsAmong(names: readonly string[]): ReadonlySet<string> {
  const all = new Set(names)
  if (!names.some(mayBeSidecar)) return new Set()
  return new Set(names.flatMap((name) => sidecarNames(name).filter((sidecar) => all.has(sidecar))))
}

/** Whether the name of metadata beside a file is that of JSON; else it is XMP. */
export const isJsonSidecar = (name: string): boolean => /\.json$/i.test(name)

/** Names of systems' own files beside users' files. */
export const JUNK = /^(\.DS_Store|Thumbs\.db|desktop\.ini|@eaDir|\.Spotlight-V100|\.Trashes|\.fseventsd|\._.*)$/i
