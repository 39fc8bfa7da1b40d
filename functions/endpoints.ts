import type { Endpoint } from '../shared/http/declaration/endpoint.ts'
import { beginSession } from './auth/begin-session.ts'
import { changePassword } from './auth/change-password.ts'
import { confirmPasswordReset } from './auth/confirm-password-reset.ts'
import { endSession } from './auth/end-session.ts'
import { forgetPassword } from './auth/forget-password.ts'
import { getSession } from './auth/get-session.ts'
import { passwordResetPage } from './auth/password-reset-page.ts'
import { requestPasswordReset } from './auth/request-password-reset.ts'
import { signIn } from './auth/sign-in.ts'
import { validateToken } from './auth/validate-token.ts'
import { changeBrand } from './brand/change-brand.ts'
import { getBrand } from './brand/get-brand.ts'
import { getCompanyBrand } from './brand/get-company-brand.ts'
import { uploadLogo } from './brand/upload-logo.ts'
import { changeMediaInBulk } from './bulk/change-media-in-bulk.ts'
import { getBulk } from './bulk/get-bulk.ts'
import { undoBulk } from './bulk/undo-bulk.ts'
import { changePreset } from './cdn/change-preset.ts'
import { createPreset } from './cdn/create-preset.ts'
import { deletePreset } from './cdn/delete-preset.ts'
import { getLink } from './cdn/get-link.ts'
import { listCdnAliases } from './cdn/list-cdn-aliases.ts'
import { listPresets } from './cdn/list-presets.ts'
import { replaceLink } from './cdn/replace-link.ts'
import { addCliqueMember } from './clique/add-clique-member.ts'
import { changeClique } from './clique/change-clique.ts'
import { createClique } from './clique/create-clique.ts'
import { deleteClique } from './clique/delete-clique.ts'
import { listCliqueFolders } from './clique/list-clique-folders.ts'
import { listCliqueMembers } from './clique/list-clique-members.ts'
import { listCliques } from './clique/list-cliques.ts'
import { removeCliqueMember } from './clique/remove-clique-member.ts'
import { shareFolderWithClique } from './clique/share-folder-with-clique.ts'
import { unshareFolder } from './clique/unshare-folder.ts'
import { createCompanyUser } from './company/create-company-user.ts'
import { getApiEndpoint } from './company/get-api-endpoint.ts'
import { getCompanyDiskUsage } from './company/get-company-disk-usage.ts'
import { listApiKeys } from './company/list-api-keys.ts'
import { listCompanyFolders } from './company/list-company-folders.ts'
import { listCompanyUsers } from './company/list-company-users.ts'
import { listFailedJobs } from './company/list-failed-jobs.ts'
import { removeCompanyUser } from './company/remove-company-user.ts'
import { retryFailedJobs } from './company/retry-failed-jobs.ts'
import { getDownloadLocation } from './download/get-download-location.ts'
import { getPreview } from './download/get-preview.ts'
import { getSizedDownloadLocation } from './download/get-sized-download-location.ts'
import { listEvents } from './event/list-events.ts'
import { addFolderTags } from './folder/add-folder-tags.ts'
import { changeFolder } from './folder/change-folder.ts'
import { createFolder } from './folder/create-folder.ts'
import { deleteFolder } from './folder/delete-folder.ts'
import { getFolder } from './folder/get-folder.ts'
import { getFolderAccess } from './folder/get-folder-access.ts'
import { getFolderPath } from './folder/get-folder-path.ts'
import { getFolderTags } from './folder/get-folder-tags.ts'
import { listFolders } from './folder/list-folders.ts'
import { moveFolderToTrash } from './folder/move-folder-to-trash.ts'
import { purgeFolder } from './folder/purge-folder.ts'
import { purgeFolderTags } from './folder/purge-folder-tags.ts'
import { removeFolderTags } from './folder/remove-folder-tags.ts'
import { restoreFolder } from './folder/restore-folder.ts'
import { setFolderAccess } from './folder/set-folder-access.ts'
import { checkHealth } from './health/check-health.ts'
import { addKeywords } from './media/add-keywords.ts'
import { copyMedia } from './media/copy-media.ts'
import { deleteExpirationDate } from './media/delete-expiration-date.ts'
import { deleteFile } from './media/delete-file.ts'
import { deleteKeywords } from './media/delete-keywords.ts'
import { findExistingMedia } from './media/find-existing-media.ts'
import { getExpirationDate } from './media/get-expiration-date.ts'
import { getFileDownloadLocation } from './media/get-file-download-location.ts'
import { getHistory } from './media/get-history.ts'
import { getMedia } from './media/get-media.ts'
import { getMediaAccess } from './media/get-media-access.ts'
import { getMetadata } from './media/get-metadata.ts'
import { getTags } from './media/get-tags.ts'
import { getVersion } from './media/get-version.ts'
import { listFiles } from './media/list-files.ts'
import { listMediaFolders } from './media/list-media-folders.ts'
import { moveMedia } from './media/move-media.ts'
import { moveMediaToTrash } from './media/move-media-to-trash.ts'
import { noteFile } from './media/note-file.ts'
import { removeKeywords } from './media/remove-keywords.ts'
import { removeMedia } from './media/remove-media.ts'
import { replaceKeywords } from './media/replace-keywords.ts'
import { replaceMediaFolders } from './media/replace-media-folders.ts'
import { replaceMetadata } from './media/replace-metadata.ts'
import { restoreFile } from './media/restore-file.ts'
import { restoreMedia } from './media/restore-media.ts'
import { revertChange } from './media/revert-change.ts'
import { setByline } from './media/set-byline.ts'
import { setCopyright } from './media/set-copyright.ts'
import { setDescription } from './media/set-description.ts'
import { setExpirationDate } from './media/set-expiration-date.ts'
import { setFocalPoint } from './media/set-focal-point.ts'
import { setTitle } from './media/set-title.ts'
import { getSearchLayout } from './search/get-search-layout.ts'
import { searchMedia } from './search/search-media.ts'
import { suggestSearch } from './search/suggest-search.ts'
import { abortSharedMultipartUpload } from './share/abort-shared-multipart-upload.ts'
import { beginSharedMultipartUpload } from './share/begin-shared-multipart-upload.ts'
import { changeShare } from './share/change-share.ts'
import { completeSharedMultipartUpload } from './share/complete-shared-multipart-upload.ts'
import { createShare } from './share/create-share.ts'
import { createSharedZip } from './share/create-shared-zip.ts'
import { deleteShare } from './share/delete-share.ts'
import { downloadSharedMedia } from './share/download-shared-media.ts'
import { finalizeSharedUpload } from './share/finalize-shared-upload.ts'
import { getShare } from './share/get-share.ts'
import { getSharedMultipartUpload } from './share/get-shared-multipart-upload.ts'
import { getSharedPartUrls } from './share/get-shared-part-urls.ts'
import { getSharedZip } from './share/get-shared-zip.ts'
import { listShared } from './share/list-shared.ts'
import { listShares } from './share/list-shares.ts'
import { registerSharedUpload } from './share/register-shared-upload.ts'
import { renewShareSecret } from './share/renew-share-secret.ts'
import { showShare } from './share/show-share.ts'
import { showSharedMedia } from './share/show-shared-media.ts'
import { unlockShared } from './share/unlock-shared.ts'
import { finishSignOn } from './sign-on/finish-sign-on.ts'
import { listSignOnProviders } from './sign-on/list-sign-on-providers.ts'
import { logOutByProvider } from './sign-on/log-out-by-provider.ts'
import { startSignOn } from './sign-on/start-sign-on.ts'
import { searchStock } from './stock/search-stock.ts'
import { createStream } from './stream/create-stream.ts'
import { getStreamUrl } from './stream/get-stream-url.ts'
import { deleteSubtitles } from './subtitles/delete-subtitles.ts'
import { getSubtitles } from './subtitles/get-subtitles.ts'
import { listSubtitles } from './subtitles/list-subtitles.ts'
import { putSubtitles } from './subtitles/put-subtitles.ts'
import { abortMultipartUpload } from './upload/abort-multipart-upload.ts'
import { beginMultipartUpload } from './upload/begin-multipart-upload.ts'
import { completeMultipartUpload } from './upload/complete-multipart-upload.ts'
import { finalizeUpload } from './upload/finalize-upload.ts'
import { getMultipartUpload } from './upload/get-multipart-upload.ts'
import { getPartUrls } from './upload/get-part-urls.ts'
import { registerUpload } from './upload/register-upload.ts'
import { changeUser } from './user/change-user.ts'
import { getProfileImage } from './user/get-profile-image.ts'
import { getSizedProfileImage } from './user/get-sized-profile-image.ts'
import { getUser } from './user/get-user.ts'
import { getUserDiskUsage } from './user/get-user-disk-usage.ts'
import { inviteUser } from './user/invite-user.ts'
import { listUserCliques } from './user/list-user-cliques.ts'
import { listUserFolders } from './user/list-user-folders.ts'
import { uploadProfileImage } from './user/upload-profile-image.ts'
import { whoami } from './user/whoami.ts'
import { changeWebhook } from './webhook/change-webhook.ts'
import { createWebhook } from './webhook/create-webhook.ts'
import { deleteWebhook } from './webhook/delete-webhook.ts'
import { getWebhook } from './webhook/get-webhook.ts'
import { listDeliveries } from './webhook/list-deliveries.ts'
import { listWebhooks } from './webhook/list-webhooks.ts'
import { replayEvents } from './webhook/replay-events.ts'
import { rotateWebhookSecret } from './webhook/rotate-webhook-secret.ts'
import { testWebhook } from './webhook/test-webhook.ts'
import { createSelectionZip } from './zip/create-selection-zip.ts'
import { createZip } from './zip/create-zip.ts'
import { getZip } from './zip/get-zip.ts'

/**
 * The API at a glance. CDK, the API document, the local server, the typed client and the tests read this table. The key is the name of file,
 * function, operation and test.
 */
export const endpoints = {
  // Authentication
  'sign-in': signIn,
  'validate-token': validateToken,
  'request-password-reset': requestPasswordReset,
  'password-reset-page': passwordResetPage,
  'confirm-password-reset': confirmPasswordReset,
  'begin-session': beginSession,
  'get-session': getSession,
  'end-session': endSession,
  'change-password': changePassword,
  'forget-password': forgetPassword,
  'list-sign-on-providers': listSignOnProviders,
  'start-sign-on': startSignOn,
  'finish-sign-on': finishSignOn,
  'log-out-by-provider': logOutByProvider,

  // Folders
  'list-folders': listFolders,
  'create-folder': createFolder,
  'get-folder': getFolder,
  'get-folder-path': getFolderPath,
  'get-folder-access': getFolderAccess,
  'set-folder-access': setFolderAccess,
  'change-folder': changeFolder,
  'delete-folder': deleteFolder,
  'purge-folder': purgeFolder,
  'move-folder-to-trash': moveFolderToTrash,
  'restore-folder': restoreFolder,
  'get-folder-tags': getFolderTags,
  'add-folder-tags': addFolderTags,
  'remove-folder-tags': removeFolderTags,
  'purge-folder-tags': purgeFolderTags,

  // Cliques
  'create-clique': createClique,
  'list-cliques': listCliques,
  'change-clique': changeClique,
  'delete-clique': deleteClique,
  'list-clique-members': listCliqueMembers,
  'add-clique-member': addCliqueMember,
  'remove-clique-member': removeCliqueMember,
  'list-clique-folders': listCliqueFolders,
  'share-folder-with-clique': shareFolderWithClique,
  'unshare-folder': unshareFolder,

  // Upload
  'register-upload': registerUpload,
  'finalize-upload': finalizeUpload,
  'begin-multipart-upload': beginMultipartUpload,
  'get-part-urls': getPartUrls,
  'get-multipart-upload': getMultipartUpload,
  'complete-multipart-upload': completeMultipartUpload,
  'abort-multipart-upload': abortMultipartUpload,

  // Media
  'find-existing-media': findExistingMedia,
  'get-media': getMedia,
  'get-media-access': getMediaAccess,
  'get-metadata': getMetadata,
  'replace-metadata': replaceMetadata,
  'set-title': setTitle,
  'set-description': setDescription,
  'set-byline': setByline,
  'set-copyright': setCopyright,
  'get-expiration-date': getExpirationDate,
  'set-expiration-date': setExpirationDate,
  'delete-expiration-date': deleteExpirationDate,
  'set-focal-point': setFocalPoint,
  'add-keywords': addKeywords,
  'remove-keywords': removeKeywords,
  'replace-keywords': replaceKeywords,
  'delete-keywords': deleteKeywords,
  'get-version': getVersion,
  'get-history': getHistory,
  'revert-change': revertChange,
  'get-tags': getTags,
  'list-media-folders': listMediaFolders,
  'replace-media-folders': replaceMediaFolders,
  'copy-media': copyMedia,
  'move-media': moveMedia,
  'remove-media': removeMedia,
  'move-media-to-trash': moveMediaToTrash,
  'restore-media': restoreMedia,
  'list-files': listFiles,
  'get-file-download-location': getFileDownloadLocation,
  'note-file': noteFile,
  'restore-file': restoreFile,
  'delete-file': deleteFile,
  'change-media-in-bulk': changeMediaInBulk,
  'get-bulk': getBulk,
  'undo-bulk': undoBulk,

  // Search
  'search-media': searchMedia,
  'get-search-layout': getSearchLayout,
  'suggest-search': suggestSearch,
  'search-stock': searchStock,

  // Download
  'get-download-location': getDownloadLocation,
  'get-sized-download-location': getSizedDownloadLocation,
  'get-preview': getPreview,
  'create-zip': createZip,
  'create-selection-zip': createSelectionZip,
  'get-zip': getZip,

  // Video streaming
  'create-stream': createStream,
  'get-stream-url': getStreamUrl,
  'list-subtitles': listSubtitles,
  'put-subtitles': putSubtitles,
  'get-subtitles': getSubtitles,
  'delete-subtitles': deleteSubtitles,

  // CDN
  'list-cdn-aliases': listCdnAliases,
  'get-link': getLink,
  'replace-link': replaceLink,
  'list-presets': listPresets,
  'create-preset': createPreset,
  'change-preset': changePreset,
  'delete-preset': deletePreset,

  // Share links
  'create-share': createShare,
  'list-shares': listShares,
  'get-share': getShare,
  'change-share': changeShare,
  'delete-share': deleteShare,
  'renew-share-secret': renewShareSecret,
  'unlock-shared': unlockShared,
  'list-shared': listShared,
  'show-share': showShare,
  'show-shared-media': showSharedMedia,
  'download-shared-media': downloadSharedMedia,
  'create-shared-zip': createSharedZip,
  'get-shared-zip': getSharedZip,
  'register-shared-upload': registerSharedUpload,
  'finalize-shared-upload': finalizeSharedUpload,
  'begin-shared-multipart-upload': beginSharedMultipartUpload,
  'get-shared-part-urls': getSharedPartUrls,
  'get-shared-multipart-upload': getSharedMultipartUpload,
  'complete-shared-multipart-upload': completeSharedMultipartUpload,
  'abort-shared-multipart-upload': abortSharedMultipartUpload,

  // Events
  'list-events': listEvents,

  // Webhooks
  'list-webhooks': listWebhooks,
  'create-webhook': createWebhook,
  'get-webhook': getWebhook,
  'change-webhook': changeWebhook,
  'delete-webhook': deleteWebhook,
  'rotate-webhook-secret': rotateWebhookSecret,
  'test-webhook': testWebhook,
  'list-deliveries': listDeliveries,
  'replay-events': replayEvents,

  // Company
  'list-company-users': listCompanyUsers,
  'create-company-user': createCompanyUser,
  'remove-company-user': removeCompanyUser,
  'list-api-keys': listApiKeys,
  'get-api-endpoint': getApiEndpoint,
  'list-company-folders': listCompanyFolders,
  'get-company-disk-usage': getCompanyDiskUsage,
  'get-brand': getBrand,
  'get-company-brand': getCompanyBrand,
  'change-brand': changeBrand,
  'upload-logo': uploadLogo,
  'list-failed-jobs': listFailedJobs,
  'retry-failed-jobs': retryFailedJobs,

  // User
  whoami,
  'get-user': getUser,
  'change-user': changeUser,
  'invite-user': inviteUser,
  'list-user-folders': listUserFolders,
  'list-user-cliques': listUserCliques,
  'get-user-disk-usage': getUserDiskUsage,
  'get-profile-image': getProfileImage,
  'get-sized-profile-image': getSizedProfileImage,
  'upload-profile-image': uploadProfileImage,

  // The service itself
  'check-health': checkHealth,
} satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
