/**
 * Modules that run as a process or thread of their own, by the file that each is. Bundles of functions that use these tools carry
 * them beside themselves, bundled likewise, as `<name>.mjs`.
 */
export const companions = { 'perl-wasm': 'metadata/perl-wasm.ts', 'heic-worker': 'imaging/heic-worker.ts' } as const

/** Where a companion is, from source or from a bundle. */
export function companionUrl(name: keyof typeof companions): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? `./${companions[name]}` : `./${name}.mjs`, import.meta.url)
}
