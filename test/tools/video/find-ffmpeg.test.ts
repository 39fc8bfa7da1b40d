import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, symlink, writeFile } from 'node:fs/promises'
import { describe, it, onTestFinished, vi } from 'vitest'
import { findFfmpeg } from '../../../shared/tools/video/find-ffmpeg.ts'
import { Workspace } from '../../../shared/tools/workspace.ts'
import { ffmpeg, withVideos } from '../../support/videos.ts'

describe('the ffmpeg of a machine', () => {
  it('is the first that encodes all that is needed', withVideos, async () => {
    await using workspace = await Workspace.open('find-ffmpeg')
    // One that answers as ffmpeg does, and can't do anything.
    const useless = workspace.path('ffmpeg')
    await writeFile(useless, '#!/bin/sh\n[ "$1" = -version ] && echo "ffmpeg version 4.1 Copyright" && exit 0\nexit 1\n')
    await chmod(useless, 0o755)
    const found = await findFfmpeg([workspace.path('missing'), useless, ffmpeg!.command])
    assert.deepEqual(found, ffmpeg)
    assert.match(found!.version, /^\w/)
  })

  it('is none where none is there, or none can', async () => {
    assert.equal(await findFfmpeg([]), undefined)
    assert.equal(await findFfmpeg(['/bin/true', '/nowhere/ffmpeg']), undefined)
  })

  it('is none without the command that lowers its priority: every encode would fail', withVideos, async () => {
    await using workspace = await Workspace.open('without-nice')
    const command = execFileSync('sh', ['-c', 'command -v "$0"', ffmpeg!.command], { encoding: 'utf8' }).trim()
    vi.stubEnv('PATH', workspace.directory)
    onTestFinished(() => void vi.unstubAllEnvs())
    assert.equal(await findFfmpeg([command]), undefined)
    await symlink('/usr/bin/nice', workspace.path('nice'))
    assert.equal((await findFfmpeg([command]))?.command, command)
  })
})
