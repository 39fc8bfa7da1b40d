/** A keyword that fits a picture. */
export interface Suggestion {
  keyword: string
  /** Percent, 0 to 100. */
  confidence: number
}

/** Lowest confidence of a suggestion that is used, in percent. */
export const MIN_CONFIDENCE = 80
/** Most suggestions that a file gets. */
export const MAX_SUGGESTIONS = 20
