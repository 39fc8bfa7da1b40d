import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BUCKETS, namesIn } from './contents.ts'
import { OBJECT_LIST, ObjectList } from './object-list.ts'
import { backupsIn, type StoredBackup } from './target.ts'

/** Removes backups. The target is locked. */
export async function removeBackups(backups: readonly StoredBackup[]): Promise<void> {
  for (const { folder } of backups) await rm(folder, { recursive: true, force: true })
}

/** Removes the files of no backup: of removed and of interrupted ones. The target is locked. */
export async function removeUnusedFiles(target: string): Promise<void> {
  using opened = new DisposableStack()
  const lists = backupsIn(target).map(({ folder }) => opened.use(ObjectList.open(join(folder, OBJECT_LIST))))
  for (const bucket of BUCKETS) {
    const objects = join(target, 'objects', bucket)
    for (const shard of namesIn(objects)) {
      for (const file of namesIn(join(objects, shard))) {
        if (!lists.some((list) => list.find(bucket, file))) await rm(join(objects, shard, file), { force: true })
      }
    }
  }
}
