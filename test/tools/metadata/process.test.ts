import assert from 'node:assert/strict'
import { access, chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { ToolBusy, ToolFailed, ToolTimedOut, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { images, save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { until } from '../../support/until.ts'

const directory = temporaryDirectory(afterAll)
const picture = await save(directory, 'picture.jpg', images['plain.jpg']())

/** Of a tool that waits. */
const noTime = { processor: 600_000, wall: 300 }

describe('an ExifTool that misbehaves', () => {
  /** Answers one command. */
  const answer = 'while read line; do case "$line" in -execute*) echo "{ready$' + '{line#-execute}}"; break ;; esac; done'

  /**
   * Something in Perl's place that answers the questions for its version and does as it is told once the next command comes: what it prints
   * before that may arrive together with its answer, and hide where that ends.
   */
  async function misbehaving(name: string, behaviour: string): Promise<string> {
    const path = join(directory, name)
    await writeFile(
      path,
      `#!/bin/sh\ncase "$*" in *-ver) echo 13.59 ;; *) echo $$ > "${path}.pid"; echo run >> "${path}.runs"\n${answer}\nread line\n${behaviour}\n;; esac\n`,
    )
    await chmod(path, 0o755)
    return path
  }

  async function assertGone(perl: string): Promise<void> {
    const pid = Number(await readFile(`${perl}.pid`, 'utf8'))
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  }

  async function runs(perl: string): Promise<number> {
    return (await readFile(`${perl}.runs`, 'utf8')).split('\n').length - 1
  }

  it('is killed when a file takes too much of the processor', async () => {
    const perl = await misbehaving('spins', 'while :; do :; done')
    const slow = createExifTool({ kind: 'perl', perl, time: { processor: 300, wall: 600_000 } })
    await assert.rejects(slow.readTags(picture, 'x'), ToolTimedOut)
    await slow.close()
    await assertGone(perl)
  })

  it('that gets no processor is killed, and the file is not to blame', async () => {
    const perl = await misbehaving('sleeps', 'exec sleep 600')
    const starved = createExifTool({ kind: 'perl', perl, time: noTime })
    await assert.rejects(starved.readTags(picture, 'x'), ToolBusy)
    await starved.close()
    await assertGone(perl)
  })

  it('is killed when it prints without end', async () => {
    const perl = await misbehaving('prints', 'exec yes "a line of text"')
    const endless = createExifTool({ kind: 'perl', perl })
    await assert.rejects(endless.readTags(picture, 'x'), (error) => error instanceof ToolFailed && !(error instanceof ToolTimedOut))
    await endless.close()
    await assertGone(perl)
  })

  it('that something kills gets a second chance, and fails the file after that', async () => {
    const perl = await misbehaving('killed', 'kill -9 $$')
    const victim = createExifTool({ kind: 'perl', perl })
    await assert.rejects(victim.readTags(picture, 'x'), ToolFailed)
    assert.equal(await runs(perl), 2)
    await victim.close()
  })

  it('that does not start to work says nothing of the file', async () => {
    const path = join(directory, 'starts-badly')
    await writeFile(path, '#!/bin/sh\ncase "$*" in *-ver) echo 13.59 ;; *) exit 1 ;; esac\n')
    await chmod(path, 0o755)
    const broken = createExifTool({ kind: 'perl', perl: path })
    await assert.rejects(broken.readTags(picture, 'x'), ToolUnavailable)
    await broken.close()
  })

  it('leaves nothing of the file that it was writing', async () => {
    const target = join(directory, 'unfinished')
    const killed = createExifTool({ kind: 'perl', perl: await misbehaving('killed-writing', `echo x > "${target}"; kill -9 $$`) })
    await assert.rejects(killed.writeFields(picture, target, { title: 'x' }), ToolFailed)
    await assert.rejects(access(target), { code: 'ENOENT' })
    await killed.close()
  })

  it('is gone once closed, also in the middle of a file', async () => {
    const perl = await misbehaving('closed', 'exec sleep 600')
    const closing = createExifTool({ kind: 'perl', perl })
    const reading = assert.rejects(closing.readTags(picture, 'x'), ToolUnavailable)
    await until(() => readFile(`${perl}.pid`, 'utf8').catch(() => undefined))
    await closing.close()
    await reading
    await assertGone(perl)
    await assert.rejects(closing.readTags(picture, 'x'), ToolUnavailable)
  })
})
