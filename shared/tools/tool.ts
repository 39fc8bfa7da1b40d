/**
 * Programs and decoders that work on files, by the names under which functions declare to use them. A function's package carries what its
 * tools need beside the bundle: native code, data files, and modules that run as a process or thread of their own.
 */
const tools = ['exiftool', 'renderer', 'profileImageMaker', 'linkRenderer', 'masterMaker', 'thumbHasher', 'videoProbe'] as const

export type Tool = (typeof tools)[number]

/** The tools among what a function uses. */
export function toolsOf(uses: Readonly<Record<string, unknown>>): Tool[] {
  return tools.filter((name) => name in uses)
}
