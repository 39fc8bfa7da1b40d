import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { embeddedTranscoder } from '../../../infra/local/backend/embedded-transcoder.ts'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { TranscoderUnavailable } from '../../../shared/backends/transcoder/port.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { createProvider } from '../../../shared/library/accounts/providers.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { identityClaim } from '../../../shared/library/accounts/sign-ons.ts'
import { findUser, userKey } from '../../../shared/library/accounts/users.ts'
import { makeClique } from '../../../shared/library/cliques/cliques.ts'
import { beginMembership } from '../../../shared/library/cliques/members.ts'
import type { CompanyRemoval } from '../../../shared/library/company-removal/removal.ts'
import { removeCompany } from '../../../shared/library/company-removal/remove-company.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { addAlias, setPresetsOnly } from '../../../shared/library/links/aliases.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { publishPresets } from '../../../shared/library/links/publish-presets.ts'
import { linkKey, newLinkId } from '../../../shared/library/media/link.ts'
import { suggestionJob } from '../../../shared/library/media/suggestions.ts'
import { everyObject, everyScanned } from '../../../shared/library/pages.ts'
import { joinCompany } from '../../../shared/library/people/join-company.ts'
import { addPreset } from '../../../shared/library/presets/manage.ts'
import { createShare } from '../../../shared/library/shares/manage.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { removeVideo } from '../../../shared/library/videos/remove-video.ts'
import { ensureVideo, getVideo } from '../../../shared/library/videos/video.ts'
import { drawWebhookId, webhookKey } from '../../../shared/library/webhooks/webhook.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type CompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { exchangeFile } from '../../support/exchanged.ts'
import { by, callerOf, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { finalizeReplacement } from '../../support/replacing.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { TestClock } from '../../support/test-clock.ts'

const LABELS = { contentType: 'text/plain' }

/** A library with a company beside the one that goes, and a user of both. */
async function openLibrary() {
  const clock = new TestClock()
  const { table } = openTestTable(clock)
  const [uploads, media, publicFiles] = [openTestObjects(clock), openTestObjects(clock), openTestObjects(clock)]
  const library = {
    ...{ table, scanner: table, clock: clock.hasty, by, uploads, media, publicFiles, log: jsonLog(() => undefined) },
    ...{ transcoder: embeddedTranscoder({ table, clock }), edgeCache: embeddedEdgeCache() },
    apiSecretsKey: openEmbeddedSecrets(join(temporaryDirectory(), 'secrets.json')),
  }
  const { companyId: other } = await openCompany(library, 'Other')
  const { userId: both } = await addUser(library, { companyId: other, username: 'both', fullname: 'Both', admin: true })
  await putMedia(table, { mediaId: 901, companyId: other, uploadedBy: both })
  await media.put(`${other}/901/original`, Buffer.from('theirs'), LABELS)
  return { library, table, other, both }
}

type Library = Awaited<ReturnType<typeof openLibrary>>

/** A company with one of everything. */
async function fill({ library, table, both }: Library): Promise<CompanyId> {
  const { uploads, media, publicFiles, clock } = library
  const { companyId } = await openCompany(library, 'Doomed')
  const names = { fullname: 'Anna', username: 'anna@acme.example', admin: true }
  const anna = await addUser(library, { companyId, ...names })
  await joinCompany(library, both, companyId)
  const { providerId } = await createProvider(library, {
    ...{ companyId, name: 'Acme', issuer: 'https://id.acme.example', clientId: 'x', clientSecret: 'y' },
    ...{ domains: [], usernameClaim: 'email', groups: [], createUsers: true, joinByEmail: false },
  })
  const { cliqueId } = await makeClique(library, { companyId, name: 'Clique', thumbnail: 'default' as never })
  for (const userId of [anna.userId, both]) {
    await beginMembership(library, cliqueId, userId)
    const identity = { providerId, subject: `subject-${userId}` }
    await table.transact({ identity: identityClaim(identity, userId, 0) })
    await table.update(userKey(userId), { set: { identities: [identity] } })
  }
  const { record } = await createKey(library, { companyId, grants: [] })
  const folder = await addAlias(library, companyId, 'doomed', { name: 'Links' })
  await addPreset(library, companyId, { name: 'card', query: 'width=640' })
  await publishPresets(library, companyId)
  await setPresetsOnly(library, companyId, 'doomed', true)
  const file = await putMedia(table, { mediaId: 801, companyId, uploadedBy: anna.userId, kind: 'video', mime: 'video/mp4' })
  await exchangeFile(library, 801)
  await finalizeReplacement(library, file.mediaId, Buffer.from('next'))
  await ensureVideo(library, { ...file, mime: 'video/mp4', width: 640, height: 360 })
  const linkId = newLinkId()
  const link = { linkId, alias: 'doomed' }
  const { folderId } = folder
  await table.put({
    ...{ ...linkKey(linkId), ...link, companyId, folderId, contents: contentsOf(folder), mediaId: file.mediaId, revision: 1 },
    ...{ created: 0, changed: 0, published: { revision: 1, mediaId: file.mediaId } },
  })
  await publicFiles.put(publicKeys.copy(link), Buffer.from('copy'), LABELS)
  await publicFiles.put(publicKeys.original(linkId, { revision: 1 }), Buffer.from('copy'), LABELS)
  const access = requestOf(library, callerOf((await findUser(library, anna.userId))!))
  await createShare({ ...access, settings: {} } as never, { folderId }, {})
  const webhookId = drawWebhookId(companyId)
  await table.put({ ...webhookKey(companyId, webhookId), webhookId, companyId, enabled: true, created: 0 })
  await table.put({ pk: `DELIVERIES#${webhookId}`, sk: 'pending#2026-01-01T00:00:00.000Z#0123456789abcdef' })
  await table.transact({ job: suggestionJob.ask(library, { companyId, subject: '801', input: { mediaId: toMediaId(801) } }) })
  const requester = { kind: 'user' as const, userId: anna.userId }
  await table.put({ pk: 'ZIP#zip', sk: 'ZIP', jobId: 'zip', requester, companyId, folderId, state: 'DONE', asked: 0 })
  await table.put({ pk: 'ZIP#zip', sk: 'SELECTION', mediaIds: [801] })
  await table.put({ pk: `ZIPS#user-${anna.userId}`, sk: `FOLDER#${folderId}`, jobId: 'zip' })
  await table.put({ pk: 'BULK#bulk', sk: 'BULK', companyId, userId: anna.userId })
  await table.put({ pk: 'BULK#bulk', sk: 'FILES#0', ids: [801] })
  await table.put({ pk: 'UPLOAD#upload', sk: 'UPLOAD', uploadId: 'upload', companyId, folderId, userId: anna.userId, ttl: 9e9 })
  await table.put({ pk: `COMPANY#${companyId}`, sk: 'BRAND', companyId, name: 'Harbour Press', logo: '1.svg', revision: 1 })
  await table.put({ pk: `EVENTS#${companyId}`, sk: 'HEAD', last: 1 })
  await table.put({ pk: `SOURCE#${companyId}#ID#1`, sk: 'SOURCE', mediaId: 801 })
  await table.put({ pk: 'TOKEN#token', sk: 'TOKEN', userId: anna.userId, key: record.key, tokenEpoch: 0, validUntil: 9e9, ttl: 9e9 })
  await table.put({ pk: 'MAILEVENTS#2026-01', sk: '2026-01-01T00:00:00.000Z#1', recipient: names.username, time: clock.now() })
  for (const key of [
    `${companyId}/801/original`,
    `search/${companyId}/1`,
    'zips/zip/1/archive',
    `profiles/${anna.userId}.1.small`,
    `logos/${companyId}.1.svg`,
  ])
    await media.put(key, Buffer.from('theirs'), LABELS)
  await uploads.put('upload/file.txt', Buffer.from('posted'), LABELS)
  return companyId
}

/** All keys: of items, but for marks that expire by themselves and the job that tells edges, and of objects. */
async function keysOf({ table, library }: Library): Promise<string[]> {
  const items = (await Array.fromAsync(everyScanned(table))).map(({ pk, sk }) => `${pk} ${sk}`)
  const kept = items.filter((key) => !/^(TRANSCODED#|JOB#invalidate-edges\.)/.test(key))
  const buckets = [library.uploads, library.media, library.publicFiles]
  const objects = await Promise.all(buckets.map((bucket) => Array.fromAsync(everyObject(bucket, ''), ({ key }) => key)))
  return [...kept, ...objects.flat()].sort()
}

describe('the removal of a company', () => {
  it('leaves nothing of it and all of others, wherever earlier runs were cut off', async () => {
    for (let calls = 0, isDone = false; !isDone; calls += 9) {
      const opened = await openLibrary()
      const { library, table, other, both } = opened
      const before = await keysOf(opened)
      const companyId = await fill(opened)
      assert.ok((await keysOf(opened)).length > before.length + 40)
      const remove = (through: CompanyRemoval) => removeCompany(through, companyId, () => undefined)
      try {
        await remove({ ...library, table: cutOffAfter<EmbeddedTable>(calls, table) })
        isDone = true
      } catch (error) {
        assert.equal((error as Error).message, 'cut off')
        await remove(library)
      }
      assert.deepEqual(await keysOf(opened), before, `after ${calls} calls`)
      const { companies, cliques, identities } = (await findUser(library, both))!
      assert.deepEqual([companies, cliques, identities], [[{ companyId: other, admin: true }], [], []])
      await assert.rejects(remove(library), { name: 'NotFound' })
    }
  })

  it('waits for a job that runs, and removes what that has stored', async () => {
    const opened = await openLibrary()
    const { library, table } = opened
    const before = await keysOf(opened)
    const companyId = await fill(opened)
    const run = (await claimNext({ table, clock: library.clock }, suggestionJob.name, undefined, 300_000))!
    const sleep = async (milliseconds: number) => {
      await library.clock.sleep(milliseconds)
      if (library.clock.now() < run.leaseEnd - 200_000 || !(await table.get(run))) return
      await library.media.put(`${companyId}/801/renditions/1x1`, Buffer.from('late'), LABELS)
      await table.delete({ pk: run.pk, sk: run.sk })
    }
    await removeCompany({ ...library, clock: { now: library.clock.now, sleep } }, companyId, () => undefined)
    assert.deepEqual(await keysOf(opened), before)
    assert.ok(library.clock.now() >= run.leaseEnd - 200_000)
  })

  it('leaves encodings that run to whom it takes to cancel them, and waits', async () => {
    const opened = await openLibrary()
    const { library, table } = opened
    const companyId = await fill(opened)
    const unreachable = { ...library.transcoder, start: () => Promise.reject(new TranscoderUnavailable()) }
    let waits = 0
    const clock = {
      now: library.clock.now,
      sleep: async (milliseconds: number) => {
        await library.clock.sleep(milliseconds)
        if (++waits < 3) return
        await removeVideo(library, (await getVideo(library, toMediaId(801)))!)
      },
    }
    await removeCompany({ ...library, transcoder: unreachable, clock }, companyId, () => undefined)
    assert.equal(await getVideo({ table }, toMediaId(801)), undefined)
  })
})
