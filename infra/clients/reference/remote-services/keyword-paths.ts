import { keywordLimits } from '../../../../shared/backends/keywords/endpoint.ts'
import { SuggestedKeywords } from '../../../../shared/backends/keywords/endpoint-answer.ts'
import type { Schemas } from '../../../../shared/http/openapi/schemas.ts'
import { answers } from './answers.ts'

const { timeoutMs, answerBytes } = keywordLimits

/** What a service that suggests keywords answers. */
export function keywordPaths(schemas: Schemas) {
  const picture = { schema: { type: 'string', format: 'binary' } }
  return {
    '/keywords': {
      post: {
        operationId: 'keywords',
        tags: ['keywords'],
        security: [],
        summary: 'Suggest keywords for a picture',
        description:
          `Answers within ${timeoutMs / 1000} seconds, with ${answerBytes / 1024} KB at most. A picture may be sent more than once. A 400, ` +
          '413, 415 or 422 says that this picture gets none; it is not sent again. After every other failure it is.',
        requestBody: {
          required: true,
          description: 'The picture, with 1,200 pixels as the longest side, or fewer. Nothing tells whose it is.',
          content: { 'image/jpeg': picture, 'image/png': picture },
        },
        responses: answers('What is seen on it.', schemas.of(SuggestedKeywords, 'parameters')),
      },
    },
  }
}
