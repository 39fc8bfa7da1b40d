import assert from 'node:assert/strict'
import { photo } from '../../infra/smoke/photo.ts'
import { setSuggestions } from '../../shared/library/accounts/companies.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { askForSuggestions } from '../../shared/library/media/suggestions.ts'
import { toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'
import type { World } from '../support/successes.ts'
import type { Sources } from './event-sources.ts'
import { uploadAndImport } from './uploads.ts'

/** Keywords that are suggested for a picture once the company wants them, and for one whose job never came. */
export async function suggestions(world: World, sources: Sources): Promise<void> {
  const { client, accounts, service } = world
  const company = toCompanyId(service.demo.company_id)
  const earlier = await uploadAndImport(world, sources, await photo())
  await setSuggestions(accounts.library, company, true)
  const id = await uploadAndImport(world, sources, await photo())
  const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: 'suggested_keywords' } })
  assert.notDeepEqual(body.response.media[0]?.suggested_keywords, [])
  await setSuggestions(accounts.library, company, false)

  // Two at a time: the run of one wakes that of the other. Nobody tells of them but the schedule.
  const others = [earlier, await uploadAndImport(world, sources, await photo())]
  await setSuggestions(accounts.library, company, true)
  for (const each of others) await askForSuggestions(accounts.library, toMediaId(each))
  await sources.runSchedules()
  await sources.settle()
  for (const each of others) assert.ok((await getMedia(accounts.library, toMediaId(each)))?.suggestedAt)
  await setSuggestions(accounts.library, company, false)
}
