/** What heic-worker.ts is told. */
export interface HeicTask {
  path: string
  into: string
  /** One byte, in which it writes how far it is. Shared, because messages get lost when a thread ends by an error. */
  progress: SharedArrayBuffer
}

/** How far it is; 0 until its code runs. */
export const heicProgress = { started: 1, done: 2 } as const
