import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A tree of the disk that people drop on the console. */
export interface DroppedTree {
  directory: string
  files: number
  /** With the topmost. */
  folders: number
}

/** Folders of three levels, whose names addresses and systems treat specially. */
const FOLDERS = ['', 'a#1', 'a#1/100%', '\u{1F30A} waves', 'été'.normalize('NFD'), `${'été'.normalize('NFD')}/in & <b>`]
const EMPTY_FOLDER = 'a#1/nothing'

/** Writes small texts into folders of three levels, one of which stays empty. */
export async function writeDroppedTree(directory: string, files: number): Promise<DroppedTree> {
  await mkdir(join(directory, EMPTY_FOLDER), { recursive: true })
  for (let n = 0; n < files; n++) {
    const path = join(directory, FOLDERS[n % FOLDERS.length]!, `file ${n} #%.txt`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `text ${n}`)
  }
  return { directory, files, folders: FOLDERS.length + 1 }
}
