/** The sizes that every image is rendered in: pixels of the longest side, never more than the original has. */
export const renditionSizes = ['110px', '200px', '320px', '480px', '800px', '1200px', '1600px'] as const

export type RenditionSize = (typeof renditionSizes)[number]
