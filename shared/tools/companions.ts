import type { Tool } from './tool.ts'

/**
 * Modules that run as a process or thread of their own: the file that each is, and the tools that start it. Bundles of functions
 * that use one of those carry it beside themselves, bundled likewise, as `<name>.mjs`.
 */
export const companions = {
  'perl-wasm': { path: 'metadata/perl-wasm.ts', tools: ['exiftool'] },
  'profile-image-worker': { path: 'imaging/profile-image-worker.ts', tools: ['profileImageMaker'] },
  'magick-worker': { path: 'imaging/magick-worker.ts', tools: ['renderer', 'masterMaker'] },
  'probe-worker': { path: 'video/probe-worker.ts', tools: ['videoProbe'] },
} as const satisfies Record<string, { path: string; tools: readonly Tool[] }>

/** The address of a companion, from source or from a bundle. */
export function companionUrl(name: keyof typeof companions): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? `./${companions[name].path}` : `./${name}.mjs`, import.meta.url)
}
