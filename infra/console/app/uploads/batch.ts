/** A file that is to be uploaded. */
export interface Wanted {
  file: File
  /** Names of the folders that it lies in, from the target down. */
  folders: readonly string[]
}

/** What was dropped or chosen: files in their folders, and folders that hold none. */
export interface Gathered {
  files: Wanted[]
  /** All folders, those above before those below. */
  folders: (readonly string[])[]
  /** Names of files that can't be read. */
  unreadable: string[]
}

/** Longest time for which the page is kept busy, in milliseconds. */
const BUSY = 30

/** Files of a file field. Those of a folder say where they lie in it. */
export function chosen(files: Iterable<File>): Gathered {
  const gathered: Gathered = { files: [], folders: [], unreadable: [] }
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
    gathered.files.push({ file, folders })
  }
  return gathered
}

/** What was dropped, read to the end. The browser forgets it when the event is over, so the entries are taken at once. */
export function dropped(transfer: DataTransfer): Promise<Gathered> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return entries.length > 0 ? read(entries) : Promise.resolve(chosen(transfer.files))
}

async function read(entries: readonly FileSystemEntry[]): Promise<Gathered> {
  const gathered: Gathered = { files: [], folders: [], unreadable: [] }
  let restedAt = performance.now()
  const rest = async () => {
    if (performance.now() - restedAt < BUSY) return
    await new Promise((resolve) => setTimeout(resolve))
    restedAt = performance.now()
  }
  const walk = async (entry: FileSystemEntry, folders: readonly string[]): Promise<void> => {
    await rest()
    if (isFolder(entry)) {
      const path = [...folders, entry.name]
      gathered.folders.push(path)
      const reader = entry.createReader()
      // Each answer holds 100 entries at most; an empty one is the end.
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
        if (some.length === 0) break
        for (const each of some) await walk(each, path)
      }
      return
    }
    try {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
      gathered.files.push({ file, folders })
    } catch {
      gathered.unreadable.push(entry.name)
    }
  }
  for (const entry of entries) await walk(entry, [])
  return gathered
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
