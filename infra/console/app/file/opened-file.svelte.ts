import { api, dataOf, Refused, type Schemas } from '../api/client.ts'
import { Draft } from './draft.svelte.ts'

export type Media = Schemas['Media']

/** How often the service is asked how far an import is, in milliseconds. */
const POLL = 1_000

/** A file that is looked at: its document, and what is being changed of it. */
export class OpenedFile {
  readonly id: number
  media = $state.raw<Media>()
  draft = $state.raw<Draft>()
  /** Percent of its import, while that runs. */
  progress = $state<number>()
  failure = $state.raw<unknown>()
  /** What somebody else saved meanwhile. */
  theirs = $state.raw<Media>()
  isSaving = $state(false)
  #version = 0
  #isClosed = false

  constructor(id: number) {
    this.id = id
  }

  close(): void {
    this.#isClosed = true
  }

  async load(): Promise<void> {
    try {
      const { media, version } = await this.#read()
      this.#show(media, version)
    } catch (error) {
      if (!this.#isClosed) this.failure = error
    }
  }

  /** Saves what was changed, all in one step. @returns whether it is saved; not where somebody else was faster */
  async save(): Promise<boolean> {
    const { draft } = this
    if (!draft || this.isSaving) return false
    this.isSaving = true
    try {
      const params = { path: { id: this.id }, header: { 'If-Match': `"${this.#version}"` } }
      await dataOf(api.POST('/media/{id}/metadata', { params, body: draft.body() }))
      await this.load()
      return true
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 412) throw error
      this.theirs = (await this.#read()).media
      return false
    } finally {
      this.isSaving = false
    }
  }

  /** Saves what was changed here over what somebody else saved; what only they changed stays. */
  async keepMine(): Promise<boolean> {
    const { media, version } = await this.#read()
    this.#version = version
    this.draft?.rebase(media)
    this.theirs = undefined
    return this.save()
  }

  /** Gives up what was changed here. */
  async takeTheirs(): Promise<void> {
    this.theirs = undefined
    await this.load()
  }

  #show(media: Media, version: number): void {
    if (this.#isClosed) return
    this.media = media
    this.#version = version
    this.draft = new Draft(media)
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
