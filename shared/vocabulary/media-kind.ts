/** What a file is to the library. Films are videos; documents and everything else are generic. */
export const mediaKinds = ['image', 'vector', 'video', 'generic'] as const
export type MediaKind = (typeof mediaKinds)[number]
