/** A file to upload. `Blob` and `File` of browsers and of Node are such. */
export interface UploadSource {
  /** Absent where `filename` is given. */
  name?: string
  /** Bytes. */
  size: number
  /** A part of the file, asked for when it is sent. Where it rejects, so does the upload. */
  slice(from: number, to: number): Blob | Uint8Array<ArrayBuffer> | Promise<Blob | Uint8Array<ArrayBuffer>>
}

/** Whether a file goes in parts. @param bytes its size */
export const isInParts = (bytes: number): boolean => bytes >= 64 * 2 ** 20

/** Passes bytes on, all of them and in order, when they may go. */
export type Through = (bytes: ReadableStream<Uint8Array<ArrayBuffer>>) => ReadableStream<Uint8Array<ArrayBuffer>>

/** What becomes of an upload: a file in a folder, or the next version of a file. */
export type UploadTarget =
  | { /** Id of the folder. */ folder: number; replaces?: undefined }
  | {
      /** Id of the file. It keeps its id, metadata, folders and links. */
      replaces: number
      /** What is said of this version. */
      comment?: string
      /** The version that the file must have when all has arrived. */
      if_version?: number
    }

/** The part of an upload's options that says what becomes of it, as the service takes it. */
export const targetOf = (options: UploadTarget): UploadTarget => {
  if (options.replaces === undefined) return { folder: options.folder }
  const { replaces, comment, if_version } = options
  return { replaces, ...(comment !== undefined && { comment }), ...(if_version !== undefined && { if_version }) }
}

export type UploadOptions = SendingOptions & UploadTarget

/** How a file is uploaded. */
export interface SendingOptions {
  /** The name; by default that of the source. */
  filename?: string
  /** Is told the bytes that have arrived, and all of them. */
  onProgress?: (sent: number, total: number) => void
  /** Ends the upload. What has arrived is kept, to `resume`. */
  signal?: AbortSignal
  /** What `onBegin` was told when this file was uploaded earlier: the upload goes on from there, or tells that it had ended. */
  resume?: string | undefined
  /** Is told what resumes this upload, before a byte is sent. Nothing is sent until it resolves. It is good for a day, in parts for a week. */
  onBegin?: (resume: string) => void | Promise<void>
  /** Is told where the file that it `replaces` has the same bytes, and so gets no other version. */
  onUnchanged?: () => void
  /** Hex. Large files are compared with it at the end. */
  md5?: string | undefined
  /** Runs each sending of a form or a part when it may begin, so that a caller bounds those of all its uploads. By default it begins at once. */
  inTurn?: <Result>(send: () => Promise<Result>) => Promise<Result>
  /** What is sent passes through it, so that a caller bounds the bytes a second of all its uploads. Not in browsers. */
  through?: Through | undefined
}
