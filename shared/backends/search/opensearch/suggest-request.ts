import type { API, Types } from '@opensearch-project/opensearch'
import { nearest } from '../near.ts'
import type { Suggestion, SuggestQuery } from '../port.ts'
import { inCompany } from './search-request.ts'
import { anyOf } from './term-query.ts'

/** Files that are searched for near phrases, the nearest first. */
const MOST_LOOKED_AT = 500
/** Phrases near another one that OpenSearch compares. */
const MOST_NEAR = 1_000

/** The body of a request for phrases with a beginning, the most used first, each with a file. */
export function beginningRequest(companyId: number, { phrases, scope, limit }: SuggestQuery): API.Search_RequestBody {
  const begins = anyOf(phrases.map((phrase) => ({ prefix: { phrases: phrase } })))
  const include = `(${phrases.map(asPattern).join('|')}).*`
  return {
    size: 0,
    query: { bool: { filter: [...inCompany(companyId, scope), begins] } },
    aggregations: {
      phrases: {
        terms: { field: 'phrases', include, size: limit } as Types.Common_Aggregations.TermsAggregation['terms'],
        aggregations: { newest: { max: { field: 'mediaId' } as never } },
      },
    },
  }
}

/** The body of a request for files with phrases near another one, those with the nearest first. */
export function nearRequest(companyId: number, { phrases, scope }: SuggestQuery): API.Search_RequestBody {
  return {
    track_total_hits: false,
    _source: false,
    docvalue_fields: ['phrases'],
    size: MOST_LOOKED_AT,
    query: {
      bool: {
        filter: inCompany(companyId, scope),
        must: anyOf(
          phrases.map((value) => ({
            fuzzy: {
              phrases: {
                value,
                fuzziness: 2,
                max_expansions: MOST_NEAR,
                transpositions: false,
                rewrite: `top_terms_boost_${MOST_NEAR}`,
              },
            },
          })),
        ),
      },
    },
    sort: [{ _score: { order: 'desc' } }, { mediaId: { order: 'desc' } }],
  }
}

/** The phrases that these files have near another one: the nearest first, of these the most used. */
export function nearIn(hits: readonly Types.Core_Search.Hit[], { phrases, limit }: SuggestQuery): Suggestion[] {
  const found = new Map<string, { distance: number; files: number; mediaId: number }>()
  for (const { fields = {}, sort } of hits) {
    for (const wanted of phrases) {
      for (const { phrase, distance } of nearest.of(wanted, (fields.phrases as string[] | undefined) ?? [])) {
        const known = found.get(phrase)
        const mediaId = known?.mediaId ?? Number(sort?.at(-1))
        found.set(phrase, { distance: Math.min(distance, known?.distance ?? distance), files: (known?.files ?? 0) + 1, mediaId })
      }
    }
  }
  return [...found]
    .sort(([a, one], [b, other]) => one.distance - other.distance || other.files - one.files || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([phrase, { mediaId }]) => ({ phrase, mediaId }))
}

/** Text in a pattern of Lucene. */
function asPattern(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} ]/gu, '\\$&')
}
