import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary directory for one job. Use it with `await using`, which removes it with its contents. */
export class Workspace implements AsyncDisposable {
  /** For tools that name their files themselves. */
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  /** @param job prefix of the directory's name @param parent the directory to create it in */
  static async open(job: string, parent = tmpdir()): Promise<Workspace> {
    return new Workspace(await mkdtemp(join(parent, `${job}-`)))
  }

  /** Path of a file in it, which may not exist. */
  path(name: string): string {
    return join(this.directory, name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }
}
