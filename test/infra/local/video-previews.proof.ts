import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'vitest'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { until } from '../../support/until.ts'
import { uploadAndImport } from '../../support/uploading.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

describe('previews on demand', async () => {
  const { service, accounts } = await serviceWithAccounts({ VIDEO_PREVIEWS: 'on-demand' })
  const client = await service.client()
  const imported = async (seconds: number) => {
    const bytes = await readFile(await testVideo({ width: 320, height: 180, seconds }))
    return (await uploadAndImport(client, service.demo.folder_id, bytes, 'film.mp4')).id
  }
  const recorded = (id: number) => getVideo(accounts.library, toMediaId(id))
  const sized = (id: number) => client['get-sized-download-location']({ params: { id, size: '800px' } })
  const poster = async (id: number) => {
    const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: ['poster_url'] } })
    return body.response.media[0]!.poster_url
  }

  test('are encoded once somebody asks for one, and give the video its poster', withVideos, async () => {
    const id = await imported(1)
    assert.deepEqual([await recorded(id), await poster(id)], [undefined, null])
    const asked = await sized(id)
    assert.deepEqual([asked.status, asked.headers.get('retry-after')], [409, '5'])
    assert.equal((asked.body as object as { code: string }).code, 'preview_pending')
    await until(async () => (await sized(id)).status === 200)
    const preview = await fetch((await sized(id)).body.url)
    assert.deepEqual([preview.status, preview.headers.get('content-type')], [200, 'video/mp4'])
    await preview.body?.cancel()
    assert.notEqual(await poster(id), null)
  })
})
