import { fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { companionUrl } from '../companions.ts'
import { ToolBusy, ToolFailed } from '../failure.ts'
import type { ProfileImages } from './profile-image.ts'

/** What profile-image-worker.ts is sent. */
export interface ProfileImageTask {
  picture: Buffer
  /** Most bytes of the original. */
  maxBytes: number
}

/** What it answers: the images, or what is wrong with the picture. */
export type ProfileImageAnswer = { made: ProfileImages } | { refused: string }

/** Pictures that may wait for the one that is decoded. */
const MAX_WAITING = 4
/** Milliseconds that a picture may take. The largest take a few seconds. */
const TIMEOUT = 15_000

let previous: Promise<unknown> = Promise.resolve()
let unfinished = 0

/**
 * Makes a user's profile image of a picture (profile-image.ts), in a process of its own: what a hostile file does to its decoder ends there,
 * and no request waits for it but its own. One picture at a time: that bounds the memory of many, as the limit of pixels does that of one.
 *
 * @param maxBytes of the original: what is larger is encoded less finely, then made smaller
 * @throws ToolFailed whose message says to its sender what is wrong with the picture; ToolBusy when too many wait already
 */
export async function makeProfileImages(picture: Buffer, maxBytes: number): Promise<ProfileImages> {
  if (unfinished > MAX_WAITING) throw new ToolBusy(`${MAX_WAITING} profile images wait already`)
  unfinished++
  const made = previous.then(() => inOwnProcess({ picture, maxBytes }))
  previous = made.catch(() => undefined)
  return made.finally(() => unfinished--)
}

async function inOwnProcess(task: ProfileImageTask): Promise<ProfileImages> {
  const worker = fork(companionUrl('profile-image-worker'), {
    // Nothing of ours is to be found in it.
    env: { TMPDIR: tmpdir() },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C in a terminal doesn't reach it: the server answers what it has begun.
    detached: true,
  })
  const timer = setTimeout(() => worker.kill('SIGKILL'), TIMEOUT)
  const { promise, resolve, reject } = Promise.withResolvers<ProfileImageAnswer>()
  worker.once('message', (answer) => resolve(answer as ProfileImageAnswer))
  worker.once('error', reject)
  worker.once('exit', (code, signal) => reject(signal ? failureBy(signal) : new Error(`the profile image worker ended: ${code}`)))
  // A failed send is followed by the end of the process, which says why.
  worker.send(task, () => undefined)
  try {
    const answer = await promise
    if ('refused' in answer) throw new ToolFailed(answer.refused)
    return answer.made
  } finally {
    clearTimeout(timer)
    worker.kill('SIGKILL')
  }
}

/** Killed it is by us or for want of memory; by any other signal it crashed. */
function failureBy(signal: NodeJS.Signals): ToolFailed {
  return new ToolFailed(signal === 'SIGKILL' ? 'takes too long or too much memory to decode' : 'cannot be decoded: it is damaged')
}
