import { join } from 'node:path'

/** The files and folders of the embedded backend, below its directory. */
export function embeddedLayout(directory: string) {
  return {
    /** Tells which versions can use the folder. */
    format: join(directory, 'format.json'),
    table: join(directory, 'table.db'),
    secrets: join(directory, 'secrets.json'),
    uploads: join(directory, 'uploads'),
    media: join(directory, 'media'),
    public: join(directory, 'public'),
    /** Rendered pictures of links: a cache. */
    linkPictures: join(directory, 'link-pictures'),
    mail: join(directory, 'mail'),
    /** The name in stored data folders. */
    search: join(directory, 'search'),
  }
}
