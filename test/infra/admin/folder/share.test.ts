import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { Access } from '../../../../shared/library/access/access.ts'
import { addUser, openCompany } from '../../../../shared/library/accounts/provision.ts'
import { findUser } from '../../../../shared/library/accounts/users.ts'
import { createShare } from '../../../../shared/library/shares/manage.ts'
import { openShare } from '../../../../shared/library/shares/visit.ts'
import { ensurePublicGallery } from '../../../../shared/library/tree/system-folders.ts'
import { by, callerOf } from '../../../support/library.ts'
import { sealing } from '../../../support/sealing.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const directory = await temporaryLibrary()

test("a company's share links are listed, and one that is revoked opens nothing any more", async () => {
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  onTestFinished(() => table.close())
  const library = { table, clock: systemClock, by }
  const { companyId } = await openCompany(library, 'Ours')
  const { userId } = await addUser(library, { companyId, username: 'anna', fullname: 'Anna', password: 'a long password', admin: true })
  const { folderId } = await ensurePublicGallery(library, companyId)
  const access = new Access(table, callerOf((await findUser(library, userId))!))
  const actor = { kind: 'user', userId, requestId: 'request' } as const
  const made = await createShare(
    { ...library, access, by: actor, sourceAddress: '127.0.0.1', ...sealing },
    { folderId },
    { download: 'preview' },
  )
  const { shareId } = made.share

  const list = () => runJson(directory, ['share', 'list', '--company', String(companyId)])
  const [{ created: _, ...listed }] = await list()
  assert.deepEqual(listed, {
    ...{ share_id: shareId, user_id: userId, folder_id: folderId, files: null, expires: null, has_password: false, download: 'preview' },
    ...{ upload: false, visits: 0, downloads: 0, uploads: 0 },
  })
  assert.equal((await openShare(library, made.secret)).share.shareId, shareId)
  assert.equal((await runCommand(directory, ['share', 'revoke', '--share', shareId])).code, 0)
  await assert.rejects(openShare(library, made.secret), { code: 'share_not_found' })
  assert.deepEqual(await list(), [])
  const again = await runCommand(directory, ['share', 'revoke', '--share', shareId])
  assert.deepEqual([again.code, again.error], [1, 'There is no such share link.'])
})
