import { dialogs } from '../ui/dialogs.svelte.ts'
import type { Choice, Upload } from './upload.ts'

/**
 * Asks what becomes of files whose names are taken: of all at once, or of one after the other.
 * @param decide is told of each; undefined where the dialog was closed
 */
export async function askAboutNames(
  asking: readonly Upload[],
  decide: (upload: Upload, choice: Choice | undefined) => void,
): Promise<void> {
  let left = asking
  while (left.length > 0) {
    const { choice, isForAll } = await ask(left)
    const decided = isForAll ? left : left.slice(0, 1)
    left = left.slice(decided.length)
    for (const upload of decided) decide(upload, choice)
  }
}

interface Answer {
  choice: Choice | undefined
  isForAll: boolean
}

/** Waits for other dialogs, which may hold what somebody typed. */
async function ask(uploads: readonly Upload[]): Promise<Answer> {
  const load = () => import('./NamesTaken.svelte')
  await load()
  await dialogs.closed()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  await dialogs.open(load, {
    uploads,
    oncontinue: (choice: Choice, isForAll: boolean) => resolve({ choice, isForAll }),
    ongiveup: () => resolve({ choice: undefined, isForAll: true }),
  })
  return promise
}
