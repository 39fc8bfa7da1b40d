import { api, dataOf, type Schemas } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'
import { addressOf, router } from '../router.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { saveFrom } from '../ui/save.ts'
import { trashFolder } from './calls.ts'
import { tree } from './tree.svelte.ts'

/** How often a job is asked after, in milliseconds. */
const POLL = 2_000

/** Makes an archive of a folder and downloads it. */
export async function zip(id: number): Promise<void> {
  await fetchZip(dataOf(api.POST('/folder/{id}/zip-file', { params: { path: { id } } })))
}

/** Downloads an archive when it is made. @param begun the job's first state */
export async function fetchZip(begun: Promise<Schemas['ZipJob']>): Promise<void> {
  try {
    let job = await begun
    if (job.state === 'PENDING') notices.tell(text.zipping)
    while (job.state === 'PENDING') {
      await new Promise((resolve) => setTimeout(resolve, POLL))
      job = await dataOf(api.GET('/zip-file/{job_id}', { params: { path: { job_id: job.job_id } } }))
    }
    if (job.url) saveFrom(job.url)
    else notices.fail(new Error(text.zipFailed))
  } catch (error) {
    notices.fail(error)
  }
}

/** Moves a folder to the trash, and back where somebody takes that back. */
export async function trashWithUndo(id: number): Promise<void> {
  const folder = tree.get(id)
  const parent = folder?.parent ?? undefined
  try {
    await trashFolder(id)
    const { route } = router.list
    if (route.page === 'folder' && route.id === id) router.go(addressOf(parent === undefined ? '' : `folder/${parent}`))
    await tree.refresh(parent)
    notices.tell(text.folderTrashed(folder?.name ?? ''), {
      label: text.undo,
      run: () => void tree.move(id, parent).catch((error) => notices.fail(error)),
    })
  } catch (error) {
    notices.fail(error)
  }
}
