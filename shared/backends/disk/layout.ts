import { join } from 'node:path'

/** Where the embedded backend keeps what, below its directory. */
export function embeddedLayout(directory: string) {
  return {
    table: join(directory, 'table.db'),
    queues: join(directory, 'queues.db'),
    secrets: join(directory, 'secrets.json'),
    uploads: join(directory, 'uploads'),
    media: join(directory, 'media'),
    mail: join(directory, 'mail'),
    /** Named so in every data folder that exists. */
    deadChanges: join(directory, 'parked'),
    search: join(directory, 'search'),
  }
}
