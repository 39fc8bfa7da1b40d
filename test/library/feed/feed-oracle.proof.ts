import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { eventsOf } from '../../../shared/library/events/events-of.ts'
import { allEvents } from '../../../shared/library/feed/all-events.ts'
import { appendEvents } from '../../../shared/library/feed/append.ts'
import type { StoredEvent } from '../../../shared/library/feed/event.ts'
import { readFeed } from '../../../shared/library/feed/read.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { openTestTable } from '../../support/library.ts'
import { runRemovals } from '../../support/removals.ts'
import { actingIn, type Pair } from '../access/oracle/choices.ts'
import { emptyLibraries, happens } from '../access/oracle/lives.ts'
import type { LibraryModel } from '../access/oracle/model.ts'
import { anyStep, opening } from '../access/oracle/steps.ts'

/** No event of a life expires. */
const settings = { eventDays: 4_000 }
/** A reader's pages. */
const PAGE = 7

test('whatever happens, nobody sees an event of what they may not READ, and everybody sees all others', async () => {
  const library = { ...openTestTable(), settings, log: jsonLog(() => undefined) }
  let position: string | undefined
  const tellAll = async () => {
    for (let more = true; more; ) {
      const { changes, position: behind } = await library.table.readChanges(position, 1_000)
      const events = changes.flatMap((change) => eventsOf(change).map((event, n) => ({ ...event, id: `${change.id}.${n}` })))
      assert.deepEqual(await appendEvents(library, events), [])
      position = behind
      more = changes.length > 0
    }
  }
  const told = { shown: 0, hidden: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
      const pair = await emptyLibraries(library)
      for (const [n, step] of [...opening, ...steps].entries()) {
        await happens(step, pair)
        await tellAll()
        if (n % 20 === 0) await compare(pair, told)
      }
      // Files of folders that are gone are deleted.
      await runRemovals(pair)
      await tellAll()
      await compare(pair, told)
    }),
    { numRuns: 60 },
  )
  assert.ok(told.shown > 100 && told.hidden > 100, JSON.stringify(told))
})

/** Everybody's feed of every company has the events that the rules show them. */
async function compare(pair: Pair, told: { shown: number; hidden: number }): Promise<void> {
  const { model, users, companies } = pair
  for (const companyId of companies) {
    const all = await Array.fromAsync(allEvents(pair, companyId, 0))
    for (const [n, userId] of users.entries()) {
      const request = { ...(await actingIn(pair, n)), settings }
      const isAdmin = model.users.get(userId)!.companies.get(companyId)
      if (isAdmin === undefined) {
        await assert.rejects(readFeed(request, { companyId, limit: PAGE }), { name: 'NotFound' })
        continue
      }
      const expected = isAdmin ? all : all.filter((event) => isShown(model, userId, event)).map((event) => masked(model, userId, event))
      const seen: StoredEvent[] = []
      let cursor: string | undefined
      for (let more = true; more; ) {
        const page = await readFeed(request, { companyId, cursor, limit: PAGE })
        seen.push(...page.events)
        ;({ cursor, more } = page)
      }
      assert.deepEqual(seen, expected)
      if (isAdmin) continue
      told.shown += expected.length
      told.hidden += all.length - expected.length
    }
  }
}

/** The rules of who may see an event, but for those of admins. */
function isShown(model: LibraryModel, userId: number, { type, requester, data }: StoredEvent): boolean {
  const reads = (id: number | null | undefined) => typeof id === 'number' && model.rights(userId, id).has('READ')
  const readsFile = model.fileRights(userId, data.mediaId ?? -1).has('READ')
  const readsWhereItWas = (data.folderIds ?? []).some(reads)
  if (['media.downloaded', 'folder.shared', 'company.quota'].includes(type)) return false
  if (requester) return requester.userId === userId
  if (['media.deleted', 'link.deleted'].includes(type)) return readsWhereItWas
  if (type === 'media.trashed') return readsWhereItWas || readsFile
  if (type === 'folder.deleted') return reads(data.parent)
  if (type === 'folder.trashed') return reads(data.parent) || reads(data.folderId)
  return type.startsWith('folder.') ? reads(data.folderId) : readsFile
}

/** What somebody who is no admin sees of an event. */
function masked(model: LibraryModel, userId: number, { requestId: _, network: __, ...event }: StoredEvent): StoredEvent {
  const { folderIds } = event.data
  if (folderIds === undefined) return event
  return { ...event, data: { ...event.data, folderIds: folderIds.filter((id) => model.rights(userId, id).has('READ')) } }
}
