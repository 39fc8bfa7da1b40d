import { buffer } from 'node:stream/consumers'
import type { Log } from '../../log/log.ts'
import { ObjectMissing, type ObjectReader } from '../objects/port.ts'
import { ServiceRefusal, ServiceUnavailable } from '../remote/failure.ts'
import { remoteService } from '../remote/json-service.ts'
import { SuggestedKeywords } from './endpoint-answer.ts'
import { type KeywordSuggester, PictureRefused, SuggesterUnavailable } from './port.ts'

/** Time for a picture, in milliseconds, and most bytes of an answer. */
export const keywordLimits = { timeoutMs: 20_000, answerBytes: 256 * 1024 }

export interface KeywordsEndpoint {
  /** Address below which the operation `keywords` is, without trailing slash. */
  baseUrl: string
  /** The bucket of the pictures. */
  media: Pick<ObjectReader, 'get'>
  log: Log
  limits?: { timeoutMs: number; answerBytes: number }
}

/** A service of the operator's, which gets the bytes of the picture. Its answers are a stranger's. */
export function keywordsEndpoint({ baseUrl, media, log, limits = keywordLimits }: KeywordsEndpoint): KeywordSuggester {
  const service = remoteService({ baseUrl, log })

  return {
    async suggest({ key }) {
      try {
        const { stream, contentType } = await media.get(key)
        const body = { type: contentType, bytes: new Uint8Array(await buffer(stream)) }
        // A picture that was looked at twice is no harm.
        const answer = await service.call({ method: 'POST', path: 'keywords', body, repeatable: true, limits }, SuggestedKeywords)
        if (!answer) throw new SuggesterUnavailable('the service has no operation "keywords"')
        return answer.keywords
      } catch (error) {
        if (error instanceof ServiceRefusal) throw new PictureRefused(error.message)
        if (error instanceof ServiceUnavailable || error instanceof ObjectMissing) throw new SuggesterUnavailable(error.message)
        throw error
      }
    },
  }
}
