import { api, dataOf } from '../api/client.ts'

/** Files whose keywords are looked at. */
const LOOKED_AT = 100

/** Keywords of the library that begin so, those of most files first. */
export async function knownKeywords(start: string): Promise<string[]> {
  const query = { q: start, return_values: ['keywords' as const], media_count: LOOKED_AT }
  const { response } = await dataOf(api.GET('/search', { params: { query } }))
  const counts = new Map<string, number>()
  for (const { keywords = [] } of response.media)
    for (const keyword of keywords) if (plain(keyword).startsWith(plain(start))) counts.set(keyword, (counts.get(keyword) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([keyword]) => keyword)
}

/** Text without case, marks and invisible characters, which searches don't look at either. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
}
