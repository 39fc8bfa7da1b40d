import type { JobTable } from '../shared/runtime/consumer.ts'
import { buildZip } from './jobs/build-zip.ts'
import { changeMedia } from './jobs/change-media.ts'
import { compareUpload } from './jobs/compare-upload.ts'
import { deliverEvents } from './jobs/deliver-events.ts'
import { deliverSlowly } from './jobs/deliver-slowly.ts'
import { encodeVideo } from './jobs/encode-video.ts'
import { expireDownload } from './jobs/expire-download.ts'
import { expireShare } from './jobs/expire-share.ts'
import { expireTrash } from './jobs/expire-trash.ts'
import { expireUpload } from './jobs/expire-upload.ts'
import { expireZip } from './jobs/expire-zip.ts'
import { finalizeHeldFiles } from './jobs/finalize-held-files.ts'
import { finishRemoval } from './jobs/finish-removal.ts'
import { hashPoster } from './jobs/hash-poster.ts'
import { importMedia } from './jobs/import-media.ts'
import { invalidateEdges } from './jobs/invalidate-edges.ts'
import { labelPictures } from './jobs/label-pictures.ts'
import { makeMaster } from './jobs/make-master.ts'
import { prepareDownload } from './jobs/prepare-download.ts'
import { prepareDownloads } from './jobs/prepare-downloads.ts'
import { publishLink } from './jobs/publish-link.ts'
import { publishPresets } from './jobs/publish-presets.ts'
import { removeFiles } from './jobs/remove-files.ts'
import { removeNumbers } from './jobs/remove-numbers.ts'
import { sendMail } from './jobs/send-mail.ts'
import { snapshotIndex } from './jobs/snapshot-index.ts'
import { suggestKeywords } from './jobs/suggest-keywords.ts'
import { sweepCompany } from './jobs/sweep-company.ts'
import { sweepFiles } from './jobs/sweep-files.ts'
import { tellChange } from './jobs/tell-change.ts'

/** Every kind of job. Each key names the kind and its file: `jobs/suggest-keywords.ts`. */
export const jobs = {
  'build-zip': buildZip,
  'change-media': changeMedia,
  'compare-upload': compareUpload,
  'deliver-events': deliverEvents,
  'deliver-slowly': deliverSlowly,
  'encode-video': encodeVideo,
  'expire-download': expireDownload,
  'expire-share': expireShare,
  'expire-trash': expireTrash,
  'expire-upload': expireUpload,
  'expire-zip': expireZip,
  'finalize-held-files': finalizeHeldFiles,
  'finish-removal': finishRemoval,
  'hash-poster': hashPoster,
  'import-media': importMedia,
  'invalidate-edges': invalidateEdges,
  'label-pictures': labelPictures,
  'make-master': makeMaster,
  'prepare-download': prepareDownload,
  'prepare-downloads': prepareDownloads,
  'publish-link': publishLink,
  'publish-presets': publishPresets,
  'remove-files': removeFiles,
  'remove-numbers': removeNumbers,
  'send-mail': sendMail,
  'snapshot-index': snapshotIndex,
  'suggest-keywords': suggestKeywords,
  'sweep-company': sweepCompany,
  'sweep-files': sweepFiles,
  'tell-change': tellChange,
} satisfies JobTable
