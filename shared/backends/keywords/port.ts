import type { Suggestion } from '../../vocabulary/suggestion.ts'

/** The suggester port: suggests keywords for a picture, in any order, maybe too many or some twice. The caller chooses among them. */
export interface KeywordSuggester {
  /**
   * @param picture key of a JPEG or PNG of at most 1,200 pixels in the bucket `media`
   * @returns undefined if there is no suggester
   * @throws PictureRefused, SuggesterUnavailable
   */
  suggest(picture: { key: string }): Promise<Suggestion[] | undefined>
}

/** The suggester can't process this picture; a retry would fail too. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

/** The suggester could not be reached, is overloaded, gave no usable answer, or could not read the picture. */
export class SuggesterUnavailable extends Error {
  override name = 'SuggesterUnavailable'
}
