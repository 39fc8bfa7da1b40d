import type { Tool } from './tool.ts'

/**
 * Modules that run as a process or thread of their own: the file that each is, and the tool that it belongs to. Bundles of functions
 * that use the tool carry it beside themselves, bundled likewise, as `<name>.mjs`.
 */
export const companions = {
  'perl-wasm': { path: 'metadata/perl-wasm.ts', tool: 'exiftool' },
  'profile-image-worker': { path: 'imaging/profile-image-worker.ts', tool: 'profileImageMaker' },
  'heic-worker': { path: 'imaging/heic-worker.ts', tool: 'renderer' },
} as const satisfies Record<string, { path: string; tool: Tool }>

/** Where a companion is, from source or from a bundle. */
export function companionUrl(name: keyof typeof companions): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? `./${companions[name].path}` : `./${name}.mjs`, import.meta.url)
}
