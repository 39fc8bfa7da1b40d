import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { focused, focusRegion, images, orientedJpeg, quadrantColours, quadrantImage, toldSource } from '../support/pictures/index.ts'
import { quarters } from '../support/pictures/quarters.ts'
import { emulatorLimit } from '../support/service.ts'
import { serviceWithLinks } from '../support/service-with-links.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { accounts, admin, as, company, folder } = await serviceWithLinks()
const boss = as(admin)
const { client } = admin
const cdn = (await accounts.cdnFolder(company)).folderId

async function published(bytes: Buffer, filename = 'photo.jpg'): Promise<{ id: number; url: string }> {
  const id = Number((await uploadAndImport(client, cdn, bytes, filename)).id)
  return { id, url: await activeAt(id) }
}
const activeAt = (id: number) =>
  until(async () => {
    const { body } = await boss.link(cdn, id)
    return body.state === 'active' && body.url!
  })

/** What a tall cut shows, by its colours on the left and on the right. */
const sides = {
  left: [0, 0, 2, 2],
  middle: [0, 1, 2, 3],
  right: [1, 1, 3, 3],
} as const
type Side = keyof typeof sides

async function sideAt(address: string): Promise<Side | undefined> {
  const answer = await fetch(address)
  assert.equal(answer.status, 200)
  const colours = await quarters(Buffer.from(await answer.arrayBuffer()))
  const nearest = colours.map((colour) =>
    quadrantColours.findIndex((each) => each.every((value, at) => Math.abs(value - colour[at]!) < 60)),
  )
  return (Object.keys(sides) as Side[]).find((side) => sides[side].join() === nearest.join())
}
/** Until a cut shows this side: edges forget the cuts of before. */
const shows = (address: string, side: Side) => until(async () => (await sideAt(address)) === side)

describe('links', emulatorLimit('has no edges'), () => {
  const picture = () => quadrantImage({ width: 400, height: 300 }).png().toBuffer()
  const tall = (url: string) => `${url}?fit=cover&width=100&height=300`

  test('cut round the focal point, by whatever way it came, and round what they say themselves', async () => {
    const { id, url } = await published(await picture(), 'photo.png')
    assert.equal(await sideAt(tall(url)), 'middle')
    const before = (await fetch(tall(url))).headers.get('etag')
    await client['set-focal-point']({ params: { id }, body: { x: 0, y: 0.5 } })
    await shows(tall(url), 'left')
    await shows(`${url}?aspect=1:3`, 'left')
    assert.notEqual((await fetch(tall(url))).headers.get('etag'), before)
    assert.equal(await sideAt(`${tall(url)}&focus=1,0`), 'right')
    assert.equal(await sideAt(`${tall(url)}&focus=center`), 'middle')
    const change = { select: { ids: [id] }, change: { focal_point: { x: 1, y: 0.5 } } }
    const { job_id } = (await client['change-media-in-bulk']({ body: change })).body
    await shows(tall(url), 'right')
    await until(async () => (await client['undo-bulk']({ params: { job_id } })).status === 200)
    await shows(tall(url), 'left')
    await client['set-focal-point']({ params: { id }, body: null })
    await shows(tall(url), 'middle')
  })

  test('cut round what the file focuses on, however it is stored', async () => {
    // Stored on its side: (0.05, 0.5) of the upright picture.
    const region = focusRegion({ x: 0.5, y: 0.95 })
    const { id, url } = await published(focused(await orientedJpeg(6), region))
    assert.deepEqual((await client['get-media']({ params: { id } })).body.focal_point, { x: 0.05, y: 0.5 })
    assert.equal(await sideAt(`${url}?fit=cover&width=16&height=48`), 'left')
  })

  test('show another file round its own focal point; the one that it replaces keeps its own', async () => {
    const { id, url } = await published(await picture(), 'one.png')
    await client['set-focal-point']({ params: { id }, body: { x: 0, y: 0 } })
    await shows(tall(url), 'left')
    const other = Number((await uploadAndImport(client, await folder(), await picture(), 'other.png')).id)
    await client['set-focal-point']({ params: { id: other }, body: { x: 1, y: 0 } })
    assert.equal(await boss.replace(cdn, id, other), 200)
    await activeAt(other)
    await shows(tall(url), 'right')
    const points = await Promise.all(
      [id, other].map(async (each) => (await client['get-media']({ params: { id: each } })).body.focal_point),
    )
    assert.deepEqual(points, [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ])
  })

  test('say that a picture was generated or modified, with the file, its pictures and to who has them', async () => {
    for (const [type, label] of [
      ['trainedAlgorithmicMedia', 'generated'],
      ['compositeWithTrainedAlgorithmicMedia', 'modified'],
      ['digitalCapture', null],
    ] as const) {
      const { url } = await published(toldSource(await images['plain.jpg'](), type))
      for (const address of [url, `${url}?width=20`, `${url}?width=20&output_format=webp`]) {
        const { headers } = await fetch(address)
        assert.equal(headers.get('link-ai'), label, address)
        assert.match(headers.get('access-control-expose-headers')!, /Link-AI/)
        const known = await fetch(address, { headers: { 'if-none-match': headers.get('etag')! } })
        assert.deepEqual([known.status, known.headers.get('link-ai')], [304, label], address)
      }
    }
  })
})
