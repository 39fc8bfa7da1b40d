import type { Endpoint } from '../shared/http/endpoint.ts'
import { confirmPasswordReset } from './auth/confirm-password-reset.ts'
import { requestPasswordReset } from './auth/request-password-reset.ts'
import { signIn } from './auth/sign-in.ts'
import { validateToken } from './auth/validate-token.ts'
import { getDownloadLocation } from './download/get-download-location.ts'
import { getPreview } from './download/get-preview.ts'
import { getSizedDownloadLocation } from './download/get-sized-download-location.ts'
import { changeFolder } from './folder/change-folder.ts'
import { createFolder } from './folder/create-folder.ts'
import { deleteFolder } from './folder/delete-folder.ts'
import { getFolder } from './folder/get-folder.ts'
import { listFolders } from './folder/list-folders.ts'
import { addKeywords } from './media/add-keywords.ts'
import { copyMedia } from './media/copy-media.ts'
import { deleteExpirationDate } from './media/delete-expiration-date.ts'
import { deleteKeywords } from './media/delete-keywords.ts'
import { getExpirationDate } from './media/get-expiration-date.ts'
import { getMedia } from './media/get-media.ts'
import { getMetadata } from './media/get-metadata.ts'
import { getTags } from './media/get-tags.ts'
import { getVersion } from './media/get-version.ts'
import { listMediaFolders } from './media/list-media-folders.ts'
import { moveMedia } from './media/move-media.ts'
import { removeKeywords } from './media/remove-keywords.ts'
import { removeMedia } from './media/remove-media.ts'
import { replaceKeywords } from './media/replace-keywords.ts'
import { replaceMediaFolders } from './media/replace-media-folders.ts'
import { replaceMetadata } from './media/replace-metadata.ts'
import { setByline } from './media/set-byline.ts'
import { setCopyright } from './media/set-copyright.ts'
import { setDescription } from './media/set-description.ts'
import { setExpirationDate } from './media/set-expiration-date.ts'
import { setTitle } from './media/set-title.ts'
import { searchMedia } from './search/search-media.ts'
import { finalizeUpload } from './upload/finalize-upload.ts'
import { registerUpload } from './upload/register-upload.ts'

/**
 * The API at a glance. CDK, the API document, the local server, the typed client and the tests all read this table. The key names
 * file, function, operation and test.
 */
export const endpoints = {
  // Authentication
  'sign-in': signIn,
  'validate-token': validateToken,
  'request-password-reset': requestPasswordReset,
  'confirm-password-reset': confirmPasswordReset,

  // Folders
  'list-folders': listFolders,
  'create-folder': createFolder,
  'get-folder': getFolder,
  'change-folder': changeFolder,
  'delete-folder': deleteFolder,

  // Upload
  'register-upload': registerUpload,
  'finalize-upload': finalizeUpload,

  // Media
  'get-media': getMedia,
  'get-metadata': getMetadata,
  'replace-metadata': replaceMetadata,
  'set-title': setTitle,
  'set-description': setDescription,
  'set-byline': setByline,
  'set-copyright': setCopyright,
  'get-expiration-date': getExpirationDate,
  'set-expiration-date': setExpirationDate,
  'delete-expiration-date': deleteExpirationDate,
  'add-keywords': addKeywords,
  'remove-keywords': removeKeywords,
  'replace-keywords': replaceKeywords,
  'delete-keywords': deleteKeywords,
  'get-version': getVersion,
  'get-tags': getTags,
  'list-media-folders': listMediaFolders,
  'replace-media-folders': replaceMediaFolders,
  'copy-media': copyMedia,
  'move-media': moveMedia,
  'remove-media': removeMedia,

  // Search
  'search-media': searchMedia,

  // Download
  'get-download-location': getDownloadLocation,
  'get-sized-download-location': getSizedDownloadLocation,
  'get-preview': getPreview,
} satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
