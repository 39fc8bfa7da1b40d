import { tmpdir } from 'node:os'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolTimedOut } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { awaitedTime } from './limits.ts'
import type { ProfileImages } from './profile-image.ts'

/** The message to profile-image-worker.ts. */
export interface ProfileImageTask {
  picture: Buffer
  /** Most bytes of the original. */
  maxBytes: number
}

/** The worker's answer: the images, or what is wrong with the picture. */
export type ProfileImageAnswer = { made: ProfileImages } | { refused: string }

/**
 * Makes a user's profile image from a picture (profile-image.ts).
 * @param maxBytes limit of the original, which is otherwise encoded with lower quality, then scaled down
 * @throws ToolFailed whose message tells the sender what is wrong with the picture; ToolBusy if the queue is full, or others use the
 *   processor
 */
export type ProfileImageMaker = (picture: Buffer, maxBytes: number) => Promise<ProfileImages>

/**
 * Makes profile images in worker processes, so that a hostile file affects no other request. One picture at a time, each in a new process:
 * that bounds the memory of many pictures, as the limit of pixels bounds that of one.
 */
export function openProfileImageMaker(): ProfileImageMaker {
  const pool = new ProcessPool<ModuleProcess<ProfileImageTask, ProfileImageAnswer>>({
    start: () => startConfined({ module: companionUrl('profile-image-worker'), env: { TMPDIR: tmpdir() } }),
    size: 1,
    waiting: 4,
    idleMilliseconds: 0,
    jobsPerProcess: 1,
  })
  return async (picture, maxBytes) => {
    const answer = await pool
      .run((worker) => worker.ask({ picture, maxBytes }, awaitedTime))
      .catch((error: unknown) => {
        throw failureBy(error)
      })
    if ('refused' in answer) throw new ToolFailed(answer.refused)
    return answer.made
  }
}

/** SIGKILL means that the system ran out of memory. Any other signal is a crash. */
function failureBy(error: unknown): unknown {
  const signal = error instanceof ProcessEnded ? error.signal : null
  if (error instanceof ToolTimedOut || signal === 'SIGKILL') return new ToolFailed('takes too long or too much memory to decode')
  return signal ? new ToolFailed('cannot be decoded: it is damaged') : error
}
