import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { startJobs } from '../../../functions/events/start-jobs.ts'
import type { Change } from '../../../shared/backends/table/port.ts'
import { eventsIn } from '../../../shared/library/events/failed-event.ts'
import type { SharedLibrary } from './shared-library.ts'

interface Page {
  events: { id: string; type: string; data: { media_id?: number; version?: number } }[]
  cursor: string
  more: boolean
}

const [WRITERS, FILES, PAGE, SHARDS] = [16, 4, 7, 3]
/** Processes that die while they tell events. */
const DEATHS = 10
/** Milliseconds between two looks for something new. */
const POLL = 5

/** What happens to the events of a company while many write, tell and read. */
export function eventScenarios(library: () => SharedLibrary): void {
  const page = async (query: Record<string, string>) => {
    const [answer] = await library().together({ ...library().request('GET', '/event'), query })
    assert.equal(answer!.status, 200, JSON.stringify(answer!.body))
    return answer!.body as Page
  }

  /** Gives changes of a part of the table to the consumer in their order, each batch twice at a time; now and then to a process that dies of it. */
  async function deliver(changes: readonly Change[], deaths: { left: number }): Promise<void> {
    const events = changes.flatMap((change) => eventsIn(change, startJobs.trigger.batchesOf))
    if (events.length === 0) return
    const call = { consumer: 'start-jobs', event: { events } }
    if (deaths.left > 0 && randomInt(3) === 0) {
      deaths.left -= 1
      const peer = await library().extraPeer()
      await peer.do({ ...call, diesAt: 1 + randomInt(2) }).catch(() => undefined)
      await peer.kill()
    }
    await library().together(call, call)
  }

  test('each event is told once, without gaps, of each file in the order of its commits, and never behind a cursor', async () => {
    const folder = await library().folder()
    const files = await Promise.all(Array.from({ length: FILES }, () => library().file(folder)))
    await library().background.settle()
    const { cursor: start } = await page({ cursor: 'now' })
    const deaths = { left: DEATHS }
    let [isWriting, isTelling] = [true, true]

    async function write(): Promise<void> {
      for (let round = 0; round < library().rounds; round++) {
        const edits = Array.from({ length: WRITERS }, (_, n) => {
          const id = files[(round + n) % FILES]!
          return library().request('POST', `/media/${id}/metadata/title`, { en: `${round} ${n}` })
        })
        await library().together(...edits)
      }
      isWriting = false
    }

    async function tellAll(): Promise<void> {
      let position = library().background.position()
      for (;;) {
        const last = !isWriting
        const batch = await library().changes.readChanges(position, 100)
        position = batch.position
        const shards = Map.groupBy(batch.changes, ({ key }) => [...key.pk].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SHARDS)
        await Promise.all([...shards.values()].map((changes) => deliver(changes, deaths)))
        if (batch.changes.length === 0 && last) break
        if (batch.changes.length === 0) await sleep(POLL)
      }
      isTelling = false
    }

    const told: Page['events'] = []
    async function read(): Promise<void> {
      let cursor = start
      for (;;) {
        const last = !isTelling
        const answer = await page({ cursor, limit: String(PAGE) })
        told.push(...answer.events)
        cursor = answer.cursor
        if (last && !answer.more) break
        if (!answer.more) await sleep(POLL)
      }
    }

    await Promise.all([write(), tellAll(), read()])
    const numbers = told.map(({ id }) => Number(id.split('-')[1]))
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => numbers[0]! + n),
    )
    assert.ok(deaths.left < DEATHS)
    for (const file of files) {
      const versions = told.filter(({ type, data }) => type === 'media.updated' && data.media_id === file).map(({ data }) => data.version)
      assert.deepEqual(
        versions,
        Array.from({ length: (library().rounds * WRITERS) / FILES }, (_, n) => n + 2),
      )
    }
    assert.deepEqual(await library().problems(), [])
  })
}
