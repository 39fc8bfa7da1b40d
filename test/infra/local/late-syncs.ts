/** Seeded faults, for durability.proof.ts: SQLite syncs its log some time after a commit, and files of objects are not synced at all. */
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'))
}

await using handle = await open(import.meta.filename)
Object.getPrototypeOf(handle).sync = async () => undefined
