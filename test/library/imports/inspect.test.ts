import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { inspect } from '../../../shared/library/imports/inspect.ts'
import { ToolUnavailable } from '../../../shared/tools/failure.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { images, save } from '../../support/pictures/index.ts'

describe('looking at a file', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'inspect-'))
  })
  after(() => rm(directory, { recursive: true }))

  test('that is neither picture nor film goes on without tags after 5 s', { timeout: 25_000 }, async () => {
    const perl = join(directory, 'slow-perl')
    const start = 'while read line; do case "$line" in -execute*) echo "{ready$' + '{line#-execute}}"; break ;; esac; done'
    await writeFile(perl, `#!/bin/sh\ncase "$*" in *-ver) echo 13.59 ;; *) ${start}; exec sleep 600 ;; esac\n`)
    await chmod(perl, 0o755)
    const slow = createExifTool({ kind: 'perl', perl })
    const path = await save(directory, 'text', Buffer.from('some text'))
    const { sniffed, tags } = await inspect(path, 'a.txt', directory, slow)
    await slow.close()
    assert.deepEqual([sniffed.kind, tags], ['generic', undefined])
  })

  test('over which a tool stumbles goes on without it, unless the system is at fault', async () => {
    const path = await save(directory, 'picture.jpg', images['plain.jpg']())
    const throwing = (error: Error) => ({ readTags: () => Promise.reject(error) }) as unknown as ExifTool
    const { sniffed, tags, width } = await inspect(path, 'a.jpg', directory, throwing(new RangeError('a mistake of ours')))
    assert.deepEqual([sniffed.kind, tags, width], ['image', undefined, 64])
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
    for (const fault of [full, new ToolUnavailable('not there')]) {
      await assert.rejects(inspect(path, 'a.jpg', directory, throwing(fault)), fault)
    }
  })
})
