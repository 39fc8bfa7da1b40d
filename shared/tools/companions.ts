import type { Tool } from './tool.ts'

/**
 * Modules that run as their own process or thread, with the tools that start them. Bundles of functions that use such a tool contain the
 * module as a separate bundle, `<name>.mjs`.
 */
export const companions = {
  'perl-wasm': { path: 'metadata/perl-wasm.ts', tools: ['exiftool'] },
  'profile-image-worker': { path: 'imaging/profile-image-worker.ts', tools: ['profileImageMaker'] },
  'magick-worker': { path: 'imaging/magick-worker.ts', tools: ['renderer', 'masterMaker'] },
  'probe-worker': { path: 'video/probe-worker.ts', tools: ['videoProbe'] },
} as const satisfies Record<string, { path: string; tools: readonly Tool[] }>

/** The URL of a companion, from source or from a bundle. */
export function companionUrl(name: keyof typeof companions): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? `./${companions[name].path}` : `./${name}.mjs`, import.meta.url)
}
