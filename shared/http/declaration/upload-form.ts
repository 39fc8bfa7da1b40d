/** What `POST /upload/register` answers: the form to post a file with. */
export interface UploadForm {
  action: string
  /** The file's own has no value. */
  fields: readonly { name: string; value?: string | undefined }[]
}

/** Posts a file with an upload form, as a browser does. @param init goes to `fetch`, which follows the redirect that finalizes the upload */
export function postUploadForm(
  { action, fields }: UploadForm,
  { bytes, filename }: { bytes: Uint8Array<ArrayBuffer>; filename: string },
  init: RequestInit = {},
): Promise<Response> {
  const data = new FormData()
  for (const { name, value } of fields) if (value !== undefined) data.append(name, value)
  data.append('file', new Blob([bytes]), filename)
  return fetch(action, { ...init, method: 'POST', body: data })
}
