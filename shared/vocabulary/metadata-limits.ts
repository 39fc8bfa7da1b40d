/** Limits of a file's metadata, wherever it comes from. Texts are counted in characters. */
export const metadataLimits = {
  /** Title and description, in one language. */
  text: 50_000,
  /** Byline and copyright. */
  line: 5_000,
  keyword: 500,
  /** Keywords in one language. */
  keywords: 2_000,
  languages: 50,
  /** Languages of an item of the stock library. */
  stockLanguages: 24,
} as const

/** A language code: `en`, `pt-BR`. */
export const languageCode = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
