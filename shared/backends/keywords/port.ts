import type { Suggestion } from '../../vocabulary/suggestion.ts'

/**
 * The suggester port: what is seen on a picture, as keywords. It may suggest more than was asked for, in any order, some of them twice: who
 * asks chooses among them.
 */
export interface KeywordSuggester {
  /**
   * @param picture key of a JPEG or PNG of at most 1,200 pixels in the bucket `media`
   * @returns undefined where there is no suggester
   * @throws PictureRefused, SuggesterUnavailable
   */
  suggest(picture: { key: string }): Promise<Suggestion[] | undefined>
}

/** The suggester doesn't take this picture: asked again, it would not either. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

/** The suggester could not be reached, has no room now, gave no usable answer, or could not read the picture. */
export class SuggesterUnavailable extends Error {
  override name = 'SuggesterUnavailable'
}
