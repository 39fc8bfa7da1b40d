import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { CloudFrontClient, GetPublicKeyCommand } from '@aws-sdk/client-cloudfront'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { playerFiles, playerHeaders } from '../../../infra/clients/player/player-files.ts'
import { stateOf } from '../../support/aws/stack-outputs.ts'
import { images } from '../../support/pictures/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { uploadAndImport } from '../../support/uploading.ts'

describe('what the stack delivers', () => {
  let service: Service
  let client: Awaited<ReturnType<Service['client']>>
  let id: number
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    id = Number((await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'plain.jpg')).id)
  })
  afterAll(() => service.stop())

  test('URLs are signed so that CloudFront, which has the public key, accepts them until they are due', async () => {
    const { body: download } = await client['get-download-location']({ params: { id } })
    const { body: sized } = await client['get-sized-download-location']({ params: { id, size: '110px' } })
    const { body: found } = await client['search-media']({ query: { unique_media_id: id, return_values: 'thumbnail_url' } })
    const cloudFront = new CloudFrontClient()
    const keyOf = async (Id: string) => (await cloudFront.send(new GetPublicKeyCommand({ Id }))).PublicKey!.PublicKeyConfig!.EncodedKey!
    const cases: [string, atLeast: number, atMost: number][] = [
      [download.url, 300, 300],
      [sized.url, 300, 300],
      [found.response.media[0]!.thumbnail_url!, 86_400, 90_000],
    ]
    for (const [address, atLeast, atMost] of cases) {
      const url = new URL(address)
      const take = (name: string) => url.searchParams.get(name) ?? ''
      assert.equal(take('Hash-Algorithm'), 'SHA256')
      const seconds = Number(take('Expires')) - Date.now() / 1000
      assert.ok(seconds > atLeast - 30 && seconds < atMost + 30, address)
      // The canned policy, as CloudFront puts it together from a URL: its own parameters stand last.
      const resource = address.replace(/[?&]Expires=.*$/, '')
      const policy = `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${take('Expires')}}}}]}`
      const signature = Buffer.from(
        take('Signature').replace(/[-_~]/g, (mark) => ({ '-': '+', _: '=', '~': '/' })[mark]!),
        'base64',
      )
      assert.ok(verify('sha256', Buffer.from(policy), await keyOf(take('Key-Pair-Id')), signature), address)
      const { status, headers } = await fetch(address)
      assert.deepEqual([status, /sandbox/.test(headers.get('content-security-policy') ?? '')], [200, true])
    }
    cloudFront.destroy()
  })

  test('the host of the player shows its page, its library and how to embed it, with the headers of one machine', async () => {
    const { PlayerUrl: playerUrl = '', CdnUrl: cdnUrl = '' } = (await stateOf(service.stack!)).outputs
    for (const { path, body, contentType } of playerFiles({ playerUrl, cdnUrl, formerCdnUrls: [cdnUrl] })) {
      const answer = await fetch(`${playerUrl}/${path === 'index.html' ? '?v=x&media=1' : path}`, {
        headers: { origin: 'https://client.example' },
      })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, contentType], path)
      for (const [name, value] of Object.entries(playerHeaders({ cdnUrl })))
        assert.equal(answer.headers.get(name), value, `${path}: ${name}`)
      assert.equal(await answer.text(), body, path)
    }
  })
})
