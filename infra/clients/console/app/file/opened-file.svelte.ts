import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import type { ListedFolder } from '../folders/calls.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { Draft } from './draft.svelte.ts'
import { foldersOfFile } from './facts.ts'
import { FocalDraft } from './focal-draft.svelte.ts'
import { changeOf, type LastChange } from './last-change.ts'
import type { Conflict } from './merge.ts'

export type Media = Schemas['Media']

/** How often the service is asked how far an import is, in milliseconds. */
const POLL = 1_000

/** How often others may be faster before a save is given up. */
const TRIES = 5

/** A file that is looked at: its document, and what is being changed of it. */
export class OpenedFile {
  readonly id: number
  media = $state.raw<Media>()
  draft = $state.raw<Draft>()
  /** Of pictures alone. */
  focal = $state.raw<FocalDraft>()
  /** Those that hold it and that the user may see. */
  folders = $state.raw<readonly ListedFolder[]>([])
  /** Percent of its import, while that runs. */
  progress = $state<number>()
  failure = $state.raw<unknown>()
  /** Of its document. */
  version = $state(0)
  /** Counts how often another of its versions became the current one since it was opened. */
  exchanges = $state(0)
  /** Counts what is known here to have happened to its versions since then. */
  versionChanges = $state(0)
  /** Who saved meanwhile, as soon as that is known. */
  changedBy = $state.raw<LastChange>()
  #isClosed = false
  #saving: Promise<boolean> | undefined
  #following: Promise<void> | undefined
  /** Ends the wait for choices; told whether to go on. */
  #decide: (isDecided: boolean) => void = () => undefined

  constructor(id: number) {
    this.id = id
  }

  /** Whether the user may change what is written about it. */
  get canWrite(): boolean {
    return this.media?.type !== 'stock' && this.folders.some(({ permissions }) => permissions.groups.includes('WRITE'))
  }

  get isChanged(): boolean {
    return Boolean(this.draft?.isChanged || this.focal?.isChanged)
  }

  close(): void {
    this.#isClosed = true
    this.#decide(false)
  }

  async load(): Promise<void> {
    try {
      // Whoever may see the file through a link alone knows none of its folders.
      const [{ media, version }, folders] = await Promise.all([this.#read(), foldersOfFile(this.id).catch(() => [])])
      this.folders = folders
      this.#show(media, version)
    } catch (error) {
      if (!this.#isClosed) this.failure = error
    }
  }

  /** Shows what the service has by now. What was changed here and isn't saved stays. */
  async reload(): Promise<void> {
    await this.#refresh()
  }

  /** A new version has arrived: it is shown as soon as its import has ended. */
  followImport(): Promise<void> {
    this.versionChanges++
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #follow(): Promise<void> {
    try {
      const { importedVersion } = await import('../versions/calls.ts')
      const newest = await importedVersion(this.id, () => this.#isClosed)
      if (this.#isClosed) return
      await this.#refresh()
      if (newest?.state === 'failed') notices.fail(new Error(text.versionFailed(newest.filename)))
    } catch (error) {
      if (!this.#isClosed) notices.fail(error)
    }
    this.versionChanges++
  }

  /**
   * Saves what was changed, all in one step. Where somebody else was faster, what only one of both changed is put together, and what both did
   * waits for choices.
   * @returns whether all is saved
   */
  save(): Promise<boolean> {
    this.#saving ??= this.#save().finally(() => {
      this.#saving = undefined
    })
    return this.#saving
  }

  /**
   * Saves the focal point.
   * @returns whether it is saved: not where somebody else set another one meanwhile, which waits for a choice
   */
  async saveFocalPoint(): Promise<boolean> {
    const { focal } = this
    for (let tries = 1; focal?.isChanged; tries++) {
      if (focal.theirs) return false
      const { point } = focal
      const path = { id: this.id }
      const isSaved = await this.#send(tries, (header) =>
        dataOf(api.POST('/media/{id}/focal_point', { params: { path, header }, body: point })),
      )
      if (!isSaved) continue
      focal.noteSaved(point)
      await this.#refresh()
      break
    }
    return true
  }

  /** Gives up what was changed here. */
  discard(): void {
    this.draft?.discard()
    this.focal?.discard()
    this.#decide(false)
  }

  /** @param isTheirs whether what somebody else saved is taken */
  choose(conflict: Conflict, isTheirs: boolean): void {
    this.draft?.choose(conflict, isTheirs)
    if (this.draft?.conflicts.length === 0) this.#decide(true)
  }

  async #save(): Promise<boolean> {
    const { draft } = this
    for (let tries = 1; draft?.isChanged; tries++) {
      if (draft.conflicts.length > 0 && !(await this.#choices())) return false
      // Where all of theirs was taken there is nothing to save.
      if (!draft.isChanged) break
      const { body, noteSaved } = draft.request()
      const path = { id: this.id }
      const isSaved = await this.#send(tries, (header) => dataOf(api.POST('/media/{id}/metadata', { params: { path, header }, body })))
      if (!isSaved) continue
      noteSaved()
      await this.#refresh()
      break
    }
    return true
  }

  /** Sends a change of the version that is known. @returns whether it is saved: not where somebody else was faster, whose version is known now */
  async #send(tries: number, change: (header: { 'If-Match': string }) => Promise<unknown>): Promise<boolean> {
    try {
      await change({ 'If-Match': `"${this.version}"` })
      return true
    } catch (error) {
      if (!(error instanceof MediaLibraryError) || error.status !== 412 || tries === TRIES) throw error
      await this.#refresh()
      return false
    }
  }

  async #refresh(): Promise<void> {
    const { media, version } = await this.#read()
    this.#show(media, version)
  }

  /** Waits until all conflicts are decided. @returns false where they are given up */
  #choices(): Promise<boolean> {
    this.changedBy = undefined
    const ids = this.folders.map(({ id }) => id)
    changeOf(this.id, this.version, ids).then(
      (change) => (this.changedBy = change),
      () => undefined,
    )
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#decide = resolve
    return promise
  }

  #show(media: Media, version: number): void {
    if (this.#isClosed) return
    if (this.media && this.media.file_number !== media.file_number) this.exchanges++
    this.media = media
    this.version = version
    if (this.draft) this.draft.rebase(media)
    else this.draft = new Draft(media)
    if (media.media_type !== 'image') return
    this.focal ??= new FocalDraft()
    this.focal.rebase(media)
  }

  /** The document once the file is imported, and its version. */
  async #read(): Promise<{ media: Media; version: number }> {
    for (;;) {
      const params = { path: { id: this.id } }
      const answered = api.GET('/media/{id}', { params })
      const answer = await dataOf(answered)
      if ('id' in answer) {
        this.progress = undefined
        const tag = (await answered).response.headers.get('ETag')
        return { media: answer, version: Number(tag?.replaceAll('"', '')) }
      }
      this.progress = answer.progress
      await new Promise((resolve) => setTimeout(resolve, POLL))
      if (this.#isClosed) throw new Error('closed')
    }
  }
}
