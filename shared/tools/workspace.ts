import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary directory that one job has for itself. Leaving its scope removes it with all in it: `await using`. */
export class Workspace implements AsyncDisposable {
  /** For tools that name their files themselves. */
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  /** @param job begins the directory's name @param parent where it is made */
  static async open(job: string, parent = tmpdir()): Promise<Workspace> {
    return new Workspace(await mkdtemp(join(parent, `${job}-`)))
  }

  /** Path of a file in it, which need not exist. */
  path(name: string): string {
    return join(this.directory, name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }
}
