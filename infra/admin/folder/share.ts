import type { Command } from 'commander'
import { retryOnConflict } from '../../../shared/library/concurrency/retry.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { sharesOfCompany } from '../../../shared/library/shares/manage.ts'
import { deleteShare } from '../../../shared/library/shares/removal.ts'
import { findShare } from '../../../shared/library/shares/share.ts'
import { isoTime } from '../../../shared/library/time.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId } from '../values.ts'

/** `share list` and `share revoke` */
export function shareCommands(program: Command, console: Console): void {
  const share = noun(program, 'share', 'links for people without an account')

  verb(share, 'list', "list a company's share links, newest first", ['share list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const listed = (await sharesOfCompany(library, company)).sort((a, b) => b.share.created - a.share.created)
        const json = listed.map(({ share: one, counts }) => ({
          share_id: one.shareId,
          user_id: one.userId,
          folder_id: one.folderId ?? null,
          files: one.mediaIds?.length ?? null,
          created: isoTime(one.created),
          expires: one.expires === undefined ? null : isoTime(one.expires),
          has_password: one.passwordHash !== undefined,
          download: one.download,
          upload: one.upload,
          visits: counts.visits,
          downloads: counts.downloads,
          uploads: counts.uploads,
        }))
        const rows = json.map((one) => [
          one.share_id,
          one.user_id,
          one.folder_id === null ? `${one.files} files` : `folder ${one.folder_id}`,
          one.expires ?? '',
          one.download,
          one.visits,
        ])
        const table = textTable(['SHARE', 'USER', 'WHAT', 'EXPIRES', 'DOWNLOAD', 'VISITS'], rows)
        return { json, text: json.length === 0 ? 'The company has no share links.' : table }
      }),
    )

  verb(share, 'revoke', 'remove a share link: its address is unknown from then on', ['share revoke --share k3Jd0vX2Tq6wYpZ9aBcDeQ'])
    .requiredOption('--share <id>', 'the share link, as `share list` shows it')
    .action(
      act<{ share: string }>(console, async (library, { share: shareId }) => {
        await retryOnConflict(async () => {
          const found = await findShare(library, shareId)
          if (!found) throw new NotFound('share link')
          await deleteShare(library, found)
        })
        return { json: { share_id: shareId }, text: `Share link ${shareId} is removed.` }
      }),
    )
}
