import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, which Linux has. Its paths are short, because names of sockets have at most 107 bytes. */
const MEMORY = '/dev/shm'
/** Bytes that must be free in it, and in memory. Files of all tests that run at a time take less. */
const ROOM = 6 * 1024 ** 3

/**
 * Leads temporary folders of this process and its children into memory, where the machine has a file system for it with room, and takes them
 * away when the process ends. Tests wait for disks otherwise: what is on one when a machine loses power is told by the calls that `strace` sees.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR || !hasRoom()) return
  const folder = mkdtempSync(join(MEMORY, 'test-'))
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const [, , , options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, path]) => path === MEMORY) ?? []
    return Math.min(bavail * bsize, freemem()) > ROOM && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
