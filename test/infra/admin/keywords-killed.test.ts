import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import type { MediaRecord } from '../../../shared/library/media/media.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { putMedia } from '../../support/media.ts'
import { makeLibrary, runCommand, runJson } from './run-command.ts'

const PICTURES = 300

test('keywords suggest: killed while it runs, the same command asks for the rest', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await makeLibrary(directory)
  const { company_id: companyId } = await runJson(directory, ['company', 'create', '--name', 'Acme'])
  const ofCompany = ['--company', String(companyId)]
  await runJson(directory, ['keywords', 'enable', ...ofCompany])
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  onTestFinished(() => table.close())
  const ids = Array.from({ length: PICTURES }, (_, n) => n + 1)
  for (const mediaId of ids) {
    const rendition = { key: `${companyId}/${mediaId}/renditions/1x1`, mime: 'image/jpeg', width: 1, height: 1, bytes: 1 }
    await putMedia(table, { mediaId, companyId, renditions: { '1200px': rendition } })
  }
  const waiting = async () => {
    const files = await table.getMany<MediaRecord & ReturnType<typeof mediaKey>>(ids.map((id) => mediaKey(toMediaId(id))))
    return files.filter(({ suggestionsWanted }) => suggestionsWanted !== undefined).length
  }

  const command = spawn(process.execPath, ['infra/admin/main.ts', 'keywords', 'suggest', ...ofCompany], {
    env: { ...process.env, DATA_DIR: directory },
    stdio: 'ignore',
  })
  const exit = once(command, 'exit')
  while ((await waiting()) === 0) assert.equal(command.exitCode, null)
  command.kill('SIGKILL')
  await exit
  assert.ok((await waiting()) > 0)

  const rest = await runCommand(directory, ['keywords', 'suggest', ...ofCompany, '--json'])
  assert.deepEqual(JSON.parse(rest.out), { queued: PICTURES, done: 0 })
  assert.equal(rest.error.split('\n').at(-1), `${PICTURES} pictures queued, 0 looked at before`)
  assert.equal(await waiting(), PICTURES)
})
