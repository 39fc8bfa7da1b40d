/** Formats of which libvips decodes and encodes animations. */
export const movingFormats: ReadonlySet<string> = new Set(['gif', 'webp'])

/** Whether a file of this type may move. */
export const mayMove = (mime: string): boolean => movingFormats.has(mime.replace(/^image\//, ''))
