import { changeConsumer } from '../../shared/events/consumer.ts'
import type { CliqueRecord } from '../../shared/library/accounts/clique.ts'
import type { ResetRequest } from '../../shared/library/accounts/password-reset-requests.ts'
import type { MediaRecord } from '../../shared/library/media/media.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'
import { companyGroup } from '../../shared/library/vocabulary/messages.ts'

/** One function for all jobs: each consumer of the stream reads all of it, and two at a time is what DynamoDB advises. */
export const startJobs = changeConsumer({
  summary:
    'Queues the jobs that committed changes ask for: imports of finalized uploads, removal of what deleted folders and cliques held, mails',
  trigger: {
    changes: [
      { sk: 'MEDIA', sorts: ['created'] },
      // A purge creates a record that is deleted from the start.
      { pk: { prefix: 'COMPANY#' }, sk: { prefix: 'FOLDER#' }, sorts: ['created', 'changed'] },
      { sk: 'CLIQUE', sorts: ['removed'] },
      { sk: 'RESETREQUEST', sorts: ['created'] },
    ],
  },
  uses: { imports: 'send', removals: 'send', mails: 'send' },
  timeoutSeconds: 30,
  async handle({ change: { key, before, after }, imports, removals, mails }) {
    if (key.sk === 'MEDIA') {
      const { companyId, mediaId, state } = after as unknown as MediaRecord
      if (state === 'importing') await imports.send({ mediaId }, { group: companyGroup(companyId) })
    } else if (key.sk === 'CLIQUE') {
      const { companyId, cliqueId } = before as unknown as CliqueRecord
      await removals.send({ companyId, cliqueId }, { group: companyGroup(companyId) })
    } else if (key.sk === 'RESETREQUEST') {
      const { companyId, id } = after as unknown as ResetRequest
      await mails.send({ passwordReset: id }, { group: companyGroup(companyId) })
    } else {
      const { companyId, folderId, deleted } = after as unknown as FolderRecord
      if (deleted === undefined || before?.deleted !== undefined) return
      await removals.send({ companyId, folderId }, { group: companyGroup(companyId) })
    }
  },
})
