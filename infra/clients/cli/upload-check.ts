import { dirname, join } from 'node:path'
import type { Session } from './command.ts'
import { unlessMissing } from './command.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { checkUnchanged, md5Of } from './local-source.ts'
import type { LocalFile } from './local-tree.ts'
import { settledVersions } from './settled-versions.ts'
import type { Kept, StateFile } from './state-file.ts'
import { type FileThere, type FolderFiles, nameInLibrary, type TargetFolders } from './target-folders.ts'

/** How files that are there already are recognized, and what becomes of those that have changed. */
export interface CheckPlan {
  targets: TargetFolders
  state: StateFile
  /** How a file that is there already is recognized: by its bytes, its name, or never. */
  skipExisting: 'md5' | 'name' | 'none'
  /**
   * Whether a file becomes the next version of the one in its folder that was uploaded of it before, or else alone has its name. Where several have its
   * name, one of `upload` fails, and one of `sync` is copied beside them. Equal bytes under another name count as there for `upload`.
   */
  versions?: 'upload' | 'sync'
  isDryRun: boolean
}

/** What is known of a file before it is uploaded. */
export interface Checked {
  folder: number | undefined
  key: string
  /** Where it is there already. */
  media?: number
  /** Which version of that file it is, where it isn't the first. */
  number?: number | undefined
  /** What an upload of it goes on by that was begun and is not known to have ended. */
  resume?: string | undefined
  md5?: string | undefined
  /** The file of the library whose next version it becomes. */
  versionOf?: number
  /** The file of the library that goes to the trash for it. */
  retires?: number
}

/** Finds out what is to be done with files. */
export class UploadCheck {
  readonly #session: Session
  readonly #plan: CheckPlan
  /** Files of the library whose current bytes files of this run have, and those that get another version. None may be both. */
  readonly #held = new Set<number>()
  readonly #claimed = new Set<number>()

  constructor(session: Session, plan: CheckPlan) {
    this.#session = session
    this.#plan = plan
  }

  /** @throws Failure, MediaLibraryError */
  async check(file: LocalFile): Promise<Checked> {
    const folder = await this.#plan.targets.of(file.folders)
    const key = `${folder} ${file.path}`
    if (folder === undefined) return { folder, key }
    return { folder, key, ...(await (this.#plan.versions ? this.#asVersion(file, folder, key) : this.#asCopy(file, folder, key))) }
  }

  async #asCopy(file: LocalFile, folder: number, key: string): Promise<Partial<Checked>> {
    const { targets, state, skipExisting } = this.#plan
    const kept = state.get(key, file)
    const resume = resumeOf(kept, {})
    if (skipExisting === 'none') return { resume }
    const there = await targets.filesIn(folder)
    if (kept?.media !== undefined && (there.byId.has(kept.media) || (await this.#isIn(folder, kept.media)))) return { media: kept.media }
    if (skipExisting === 'name') {
      const [same] = there.named(file.name)
      return same ? { media: same.id } : { resume }
    }
    const candidates = there.ofSize(file.bytes)
    if (candidates.length === 0) return { resume }
    const md5 = await md5OfUnchanged(file)
    const same = candidates.find((candidate) => candidate.md5 === md5)
    return same ? { md5, resume, media: same.id, number: same.number } : { md5, resume }
  }

  async #asVersion(file: LocalFile, folder: number, key: string): Promise<Partial<Checked>> {
    const { targets, state, versions } = this.#plan
    const kept = state.get(key, file)
    const there = await targets.filesIn(folder)
    const named = there.named(file.name)
    if (kept?.media !== undefined && (await this.#hasStill(kept, folder, there, named))) return { media: this.#hold(kept.media) }
    const candidates = versions === 'upload' && named.length === 0 ? there.ofSize(file.bytes) : named
    const md5 = candidates.some(({ bytes }) => bytes === file.bytes) ? await md5OfUnchanged(file) : undefined
    const same = candidates.find((candidate) => candidate.md5 === md5)
    // A run that was killed uploaded it, and left the one before.
    const retires = kept?.replaces !== undefined && { retires: kept.replaces }
    if (same && (named.length > 0 || !(await isLeaving(same, file))))
      return { md5, resume: kept?.resume, media: this.#hold(same.id), number: same.number, ...retires }
    const former = await this.#formerOf(file, folder, key, there)
    if (former === undefined || retires) return { md5, resume: resumeOf(kept, { ...retires }), ...retires }
    return { ...(await this.#nextOf(this.#claim(former), file, md5)), resume: resumeOf(kept, { versionOf: former }) }
  }

  /** The search may know an earlier version than the current one. */
  async #nextOf(former: number, file: LocalFile, known: string | undefined): Promise<Partial<Checked>> {
    const { transfers, surroundings } = this.#session
    const md5 = known ?? (await md5OfUnchanged(file))
    const current = (await settledVersions(transfers, former, surroundings.signal)).find((version) => version.current)
    return current?.file_md5 === md5 ? { md5, media: former, number: current.number ?? undefined } : { md5, versionOf: former }
  }

  /** @throws Failure */
  #hold(id: number): number {
    if (this.#claimed.has(id)) throw taken(id)
    this.#held.add(id)
    return id
  }

  /** @throws Failure */
  #claim(id: number): number {
    if (this.#held.has(id) || this.#claimed.has(id)) throw taken(id)
    this.#claimed.add(id)
    return id
  }

  /** Whether a file has its name and the bytes that were uploaded. */
  async #hasStill({ media, number = 1 }: Kept, folder: number, there: FolderFiles, named: readonly FileThere[]): Promise<boolean> {
    const found = there.byId.get(media!)
    return found ? found.number === number && named.includes(found) : this.#isIn(folder, media!)
  }

  /** The file of the library of which a changed one is the next. Names that the library takes in another form may be those of other files. */
  async #formerOf(file: LocalFile, folder: number, key: string, there: FolderFiles): Promise<number | undefined> {
    const last = this.#plan.state.last(key)
    const before = last?.replaces ?? last?.versionOf ?? last?.media
    const named = there.named(file.name)
    if (before !== undefined && (there.byId.has(before) ? named.some(({ id }) => id === before) : await this.#isIn(folder, before)))
      return before
    if (named.length > 1 && this.#plan.versions === 'upload')
      throw new Failure(exitCodes.someFailed, `${named.length} files of the folder have its name: ${named.map(({ id }) => id).join(', ')}.`)
    if (named.length > 1) this.#session.output.note(`${file.path} is copied beside ${named.length} files of its name in the library.`)
    return named.length === 1 && nameInLibrary(file.name) === file.name.normalize('NFC') ? named[0]!.id : undefined
  }

  /** Whether a file is in a folder: the search knows of new files a moment later. */
  async #isIn(folder: number, id: number): Promise<boolean> {
    const folders = await unlessMissing(this.#session.transfers.get('/media/{id}/folders', { params: { path: { id } } }))
    return folders?.some(({ group_id }) => group_id === folder) ?? false
  }
}

/** Two files of one name would take turns in every run. */
const taken = (id: number) => new Failure(exitCodes.someFailed, `Another file of this command is taken for file ${id} of the library.`)

/** What an upload goes on by that was begun for the same. */
const resumeOf = (kept: Kept | undefined, { versionOf, retires }: Pick<Checked, 'versionOf' | 'retires'>): string | undefined =>
  kept?.media === undefined && kept?.versionOf === versionOf && kept?.replaces === retires ? kept?.resume : undefined

/** Whether a file there of another name will have other bytes, because the disk has those under its name. */
const isLeaving = async ({ name, md5 }: FileThere, { path }: LocalFile): Promise<boolean> =>
  (await md5Of(join(dirname(path), name)).catch(() => md5)) !== md5

/** @throws Failure if the file has changed since the walk */
async function md5OfUnchanged(file: LocalFile): Promise<string> {
  const md5 = await md5Of(file.path)
  await checkUnchanged(file)
  return md5
}
