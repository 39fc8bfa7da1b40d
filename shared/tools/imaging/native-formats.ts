/** Formats that libvips decodes itself. */
const native: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

/** Whether libvips decodes a format itself; other pictures are converted first. @param mime sniffed */
export function decodesNatively(mime: string): boolean {
  return native.has(mime)
}
