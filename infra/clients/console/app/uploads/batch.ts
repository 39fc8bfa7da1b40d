/** A file that is to be uploaded. */
export interface Wanted {
  name: string
  /** Names of the folders that it lies in, from the target down. */
  folders: readonly string[]
  /** What the browser gave: an entry is quickly there, and its file, which tells size and time, has to be asked for. A folder can't be read. */
  source: File | FileSystemEntry
}

/** What was dropped or chosen. */
export interface Gathered {
  files: Wanted[]
  /** All folders, also empty ones; those above before those below. */
  folders: (readonly string[])[]
}

/** Files of a file field. Those of a folder say where they lie in it. */
export function chosen(files: Iterable<File>): Gathered {
  const gathered: Gathered = { files: [], folders: [] }
  const known = new Set<string>()
  for (const file of files) {
    const folders = file.webkitRelativePath.split('/').slice(0, -1)
    for (let depth = 1; depth <= folders.length; depth++) {
      const path = folders.slice(0, depth)
      const key = path.join('/')
      if (known.has(key)) continue
      known.add(key)
      gathered.folders.push(path)
    }
    gathered.files.push({ name: file.name, folders, source: file })
  }
  return gathered
}

/** What was dropped, read to the end. The browser forgets it when the event is over, so the entries are taken at once. */
export function dropped(transfer: DataTransfer): Promise<Gathered> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return entries.length > 0 ? read(entries) : Promise.resolve(chosen(transfer.files))
}

/** The file itself. @throws DOMException where it can't be read */
export async function fileOf({ source }: Wanted): Promise<File> {
  if (source instanceof File) return source
  if (!isFile(source)) throw new DOMException('', 'NotReadableError')
  return new Promise((resolve, reject) => source.file(resolve, reject))
}

async function read(entries: readonly FileSystemEntry[]): Promise<Gathered> {
  const gathered: Gathered = { files: [], folders: [] }
  const walk = async (entries: readonly FileSystemEntry[], folders: readonly string[]): Promise<void> => {
    for (const entry of entries) {
      if (isFolder(entry)) await enter(entry, folders)
      else gathered.files.push({ name: entry.name, folders, source: entry })
    }
  }
  const enter = async (entry: FileSystemDirectoryEntry, folders: readonly string[]): Promise<void> => {
    const path = [...folders, entry.name]
    gathered.folders.push(path)
    const reader = entry.createReader()
    // Each answer holds 100 entries at most; an empty one is the end.
    const next = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    try {
      for (let some = await next(); some.length > 0; some = await next()) await walk(some, path)
    } catch {
      gathered.files.push({ name: entry.name, folders, source: entry })
    }
  }
  await walk(entries, [])
  return gathered
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
