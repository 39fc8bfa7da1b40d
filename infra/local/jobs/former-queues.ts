import type { EmbeddedQueues } from '../../../shared/backends/queue/embedded.ts'
import type { Operation } from '../../../shared/backends/table/port.ts'
import { findResetRequest } from '../../../shared/library/accounts/password-reset-requests.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { askForPublication, type NamedLink } from '../../../shared/library/links/publication.ts'
import { askForMail, type MailInput } from '../../../shared/library/mail/job.ts'
import { askForCopies } from '../../../shared/library/media/copy-job.ts'
import { getMany, getMedia } from '../../../shared/library/media/find.ts'
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

/** Makes jobs of the messages that an earlier version left in its queues, before consumers start. May be repeated. */
export async function jobsOfFormerQueues(queues: EmbeddedQueues, library: Writing): Promise<void> {
  for (const [name, jobOf] of Object.entries(formerQueues)) {
    const messages = queues.left(name)
    if (messages.length === 0) continue
    for (const message of messages) {
      const job = await jobOf(library, message as never)
      if (job) await library.table.transact({ job })
    }
    await queues.clear(name)
  }
}
