import { tmpdir } from 'node:os'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolTimedOut } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { awaitedTime } from './limits.ts'
import type { ProfileImages } from './profile-image.ts'

/** The order to profile-image-worker.ts. */
export interface ProfileImageTask {
  picture: Buffer
  /** Most bytes of the original. */
  maxBytes: number
}

/** Its answer: the images, or the fault of the picture. */
export type ProfileImageAnswer = { made: ProfileImages } | { refused: string }

/**
 * Makes a user's profile image of a picture (profile-image.ts).
 * @param maxBytes of the original: what is larger is encoded less finely, then made smaller
 * @throws ToolFailed whose message says to its sender what is wrong with the picture; ToolBusy when too many wait already, or others have the
 * processor
 */
export type ProfileImageMaker = (picture: Buffer, maxBytes: number) => Promise<ProfileImages>

/**
 * Makes profile images in processes of their own: what a hostile file does to its decoder ends there, and no request waits for it but its
 * own. One picture at a time, each in a new process: that bounds the memory of many, as the limit of pixels does that of one.
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

/** SIGKILL comes from a system without memory. Any other signal is a crash. */
function failureBy(error: unknown): unknown {
  const signal = error instanceof ProcessEnded ? error.signal : null
  if (error instanceof ToolTimedOut || signal === 'SIGKILL') return new ToolFailed('takes too long or too much memory to decode')
  return signal ? new ToolFailed('cannot be decoded: it is damaged') : error
}
