import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { JobStore } from '../../../shared/backends/transcoder/job-store.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { unknownFacts } from '../../support/encoded-video.ts'

function openStore() {
  const directory = mkdtempSync(join(tmpdir(), 'jobs-'))
  const store = new JobStore(join(directory, 'transcoding.db'))
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  let added = 0
  const add = (company: number, facts: { seconds: number | null; frameRate?: number }, [width, height] = [1_920, 1_080]) => {
    const token = `${company}-${++added}`
    const source = { key: 'a', mime: 'video/mp4', width, height, facts: { ...unknownFacts, frameRate: 25, ...facts } }
    const output = { kind: 'preview', key: 'a.mp4', width: 640, height: 360, maxBitsPerSecond: 1_000_000 } as const
    store.add({ token, companyId: toCompanyId(company), mediaId: toMediaId(added), source, output })
    return token
  }
  const takeAll = () => {
    const taken: string[] = []
    for (let next = store.take('preview'); next; next = store.take('preview')) taken.push(next.job.token)
    return taken
  }
  return { add, takeAll }
}

const minutes = (count: number) => ({ seconds: count * 60 })
const LARGE: [number, number] = [7_680, 4_320]

test('companies take turns, however many videos one of them has', () => {
  const { add, takeAll } = openStore()
  const many = [add(1, minutes(1)), add(1, minutes(1)), add(1, minutes(1))]
  const few = add(2, minutes(1))
  assert.deepEqual(takeAll(), [many[0], few, many[1], many[2]])
})

test('long videos wait behind short ones of others: by the pixels of all their frames, and where they tell nothing of them', () => {
  const { add, takeAll } = openStore()
  const long = [add(1, minutes(30)), add(2, minutes(2), LARGE), add(3, { seconds: null })]
  const short = [add(4, minutes(9)), add(4, minutes(1)), add(5, { seconds: 10 }, LARGE)]
  assert.deepEqual(takeAll(), [short[0], short[2], short[1], ...long])
})

test('a long video lets ten later ones pass, and no more', () => {
  const { add, takeAll } = openStore()
  const long = add(1, minutes(60))
  const short = Array.from({ length: 20 }, (_, n) => add(2 + n, minutes(1)))
  assert.deepEqual(takeAll(), [...short.slice(0, 10), long, ...short.slice(10)])
})
