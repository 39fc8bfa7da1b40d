import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Operation } from '../../../shared/backends/table/port.ts'
import { findResetRequest } from '../../../shared/library/accounts/password-reset-requests.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { askForPublication, type NamedLink } from '../../../shared/library/links/publication.ts'
import { askForMail, type MailInput } from '../../../shared/library/mail/job.ts'
import { askForCopies } from '../../../shared/library/media/copy-job.ts'
import { getMany, getMedia } from '../../../shared/library/media/find.ts'
import { askForImport } from '../../../shared/library/media/import-job.ts'
import { isAvailable } from '../../../shared/library/media/media.ts'
import { suggestionJobOf } from '../../../shared/library/media/suggestions.ts'
import { askForInvalidation } from '../../../shared/library/publishing/invalidation.ts'
import { masterJob } from '../../../shared/library/publishing/master-job.ts'
import { askForRemoval, type Deleted } from '../../../shared/library/tree/deletion.ts'
import { askForEncoding } from '../../../shared/library/videos/job.ts'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { askForZip } from '../../../shared/library/zips/job.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import type { CompanyId, LinkId, MediaId } from '../../../shared/vocabulary/ids.ts'

/** The queues of earlier versions whose messages are jobs now: what asks for the job of a message. */
const formerQueues: Readonly<Record<string, (library: Writing, message: never) => Promise<Operation | undefined>>> = {
  async imports(library, { mediaId }: { mediaId: MediaId }) {
    const media = await getMedia(library, mediaId)
    return media && !isAvailable(media) ? askForImport(library, media) : undefined
  },
  async suggestions(library, { mediaId }: { mediaId: MediaId }) {
    const media = await getMedia(library, mediaId)
    return media && suggestionJobOf(library, media)
  },
  async masters(library, { companyId, linkId, revision }: { companyId: CompanyId; linkId: LinkId; revision: number }) {
    return masterJob.ask(library, { companyId, subject: `${linkId}.${revision}`, input: { linkId, revision } })
  },
  async links(library, { companyId, ...link }: { companyId: CompanyId } & NamedLink) {
    return Object.values(askForPublication(library, companyId, [link]))[0]
  },
  async invalidations(library) {
    return Object.values(askForInvalidation(library))[0]
  },
  async downloads(library, { mediaIds }: { mediaIds: MediaId[] }) {
    const [media] = await getMany(library, mediaIds)
    return media && askForCopies(library, media.companyId, mediaIds)
  },
  async zips(library, { jobId }: { jobId: string }) {
    const zip = await findZip(library, jobId)
    return zip && askForZip(library, zip)
  },
  async removals(library, { companyId, ...deleted }: { companyId: CompanyId } & Deleted) {
    return askForRemoval(library, companyId, 'folderId' in deleted ? { folderId: deleted.folderId } : { cliqueId: deleted.cliqueId })
  },
  async encodings(library, video: { companyId: CompanyId; mediaId: MediaId }) {
    return askForEncoding(library, video)
  },
  async mails(library, mail: MailInput) {
    const about = await recordOf(library, mail)
    return about && askForMail(library, about.companyId, mail)
  },
}

/** The record of what an e-mail tells of. */
function recordOf(library: Writing, mail: MailInput): Promise<{ companyId: CompanyId } | undefined> {
  if ('zip' in mail) return findZip(library, mail.zip)
  return 'stream' in mail ? getVideo(library, mail.stream) : findResetRequest(library, mail.passwordReset)
}

/** Makes jobs of the messages that an earlier version left in its queues, dead letters too, and deletes their file. May be repeated. */
export async function jobsOfFormerQueues(file: string, library: Writing): Promise<void> {
  if (!existsSync(file)) return
  for (const { queue, body } of messagesIn(file)) {
    const job = await formerQueues[queue]?.(library, JSON.parse(body) as never)
    if (job) await library.table.transact({ job })
  }
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
}

function messagesIn(file: string): { queue: string; body: string }[] {
  using queues = new DatabaseSync(file)
  const hasMessages = queues.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'messages'").get()
  if (!hasMessages) return []
  const messages = queues.prepare('SELECT DISTINCT queue, body FROM messages ORDER BY queue, body').all()
  return messages.map(({ queue, body }) => ({ queue: String(queue), body: String(body) }))
}
