/** The kinds of files. Films are videos; documents and everything else are generic. */
export const mediaKinds = ['image', 'vector', 'video', 'generic'] as const
export type MediaKind = (typeof mediaKinds)[number]
