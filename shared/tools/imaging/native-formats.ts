/** Formats that libvips decodes. */
const native: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

/** Whether libvips decodes a format; others are converted first. @param mime sniffed type */
export function decodesNatively(mime: string): boolean {
  return native.has(mime)
}
