import { buffer } from 'node:stream/consumers'
import type { Log } from '../../log/log.ts'
import { ObjectMissing, type ObjectReader } from '../objects/port.ts'
import { ServiceRefusal, ServiceUnavailable } from '../remote/failure.ts'
import { remoteService } from '../remote/json-service.ts'
import { SuggestedKeywords } from './endpoint-answer.ts'
import { type KeywordSuggester, PictureRefused, SuggesterUnavailable } from './port.ts'

/** Time for a picture in milliseconds; largest answer in bytes. */
export const keywordLimits = { timeoutMs: 20_000, answerBytes: 256 * 1024 }

export interface KeywordsEndpoint {
  /** Base address of the operation `keywords`, without trailing slash. */
  baseUrl: string
  /** The bucket of the pictures. */
  media: Pick<ObjectReader, 'get'>
  log: Log
  limits?: { timeoutMs: number; answerBytes: number }
}

/** Asks a service of the operator, which gets the picture's bytes. Its answers are not trusted. */
export function keywordsEndpoint({ baseUrl, media, log, limits = keywordLimits }: KeywordsEndpoint): KeywordSuggester {
  const service = remoteService({ baseUrl, log })

  return {
    async suggest({ key }) {
      try {
        const { stream, contentType } = await media.get(key)
        const body = { type: contentType, bytes: new Uint8Array(await buffer(stream)) }
        // Repeatable: analysing a picture twice does no harm.
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
