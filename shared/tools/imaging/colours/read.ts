/** Reads bytes of a file: fewer where it ends. */
export type Read = (position: number, bytes: number) => Promise<Buffer>
