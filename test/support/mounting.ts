import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { skippedFor } from './skipping.ts'

const { status } = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()])

/** Options of tests that mount a disk: in a namespace of its own a process without rights may. */
export const withMounts = skippedFor(status !== 0 && 'this system lets nobody mount a disk, or lacks unshare or mount')
