/**
 * Programs and decoders that work on files, by the names that functions declare in `uses`. A function's package contains what its tools
 * need besides the bundle: native code, data files, and modules that run as their own process or thread.
 */
const tools = ['exiftool', 'renderer', 'profileImageMaker', 'linkRenderer', 'masterMaker', 'thumbHasher', 'videoProbe'] as const

export type Tool = (typeof tools)[number]

/** The tools among what a function uses. */
export function toolsOf(uses: Readonly<Record<string, unknown>>): Tool[] {
  return tools.filter((name) => name in uses)
}
