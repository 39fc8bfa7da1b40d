/** Reads bytes of a file; fewer at its end. */
export type Read = (position: number, bytes: number) => Promise<Buffer>
