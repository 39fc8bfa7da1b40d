import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../../shared/backends/objects/embedded.ts'
import type { Problem } from '../../../../shared/library/check/problem.ts'
import { usageKey } from '../../../../shared/library/usage/usage.ts'
import { toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { RunningClock } from '../../../support/test-clock.ts'
import { uploadAndImport } from '../../../support/uploading.ts'
import { runCommand } from '../run-command.ts'

describe('check', async () => {
  const { service, accounts } = await serviceWithAccounts()
  const client = await service.client()

  it('says what is wrong, for programs and for people, and exits with 1; with --deep also whose bytes on the disk are others', async () => {
    const folder = service.demo.folder_id
    const { id } = await uploadAndImport(client, folder, Buffer.from('text'), 'text.txt')
    const other = await uploadAndImport(client, folder, Buffer.from('imported bytes'), 'text.txt')
    const { hasty } = new RunningClock()
    const checked = (...options: string[]) => runCommand(service.directory!, ['check', ...options], '', {}, hasty)
    const deep = () => checked('--deep', '--json')
    assert.deepEqual(await deep(), { code: 0, out: '{"clean":true,"problems":[]}', error: '' })
    const { company_id, user_id } = service.demo
    const media = { mediaId: toMediaId(Number(id)), companyId: company_id, uploadedBy: user_id, bytes: 0 }
    await accounts.table.update(usageKey(media), { add: { files: 1 } })
    const paths = embeddedLayout(service.directory!)
    const objects = openEmbeddedObjects(paths.media)
    const object = `${company_id}/${id}/tags.json`
    await objects.delete([object])
    objects.close()
    const index = new DatabaseSync(join(paths.media, 'index.db'), { readOnly: true })
    const { file } = index.prepare('SELECT file FROM objects WHERE key = ?').get(Buffer.from(`${company_id}/${other.id}/original`))!
    index.close()
    await writeFile(join(paths.media, 'data', String(file).slice(-2), String(file)), Buffer.alloc(Number(other.file_disksize), '?'))

    const [forPrograms, forPeople, deeply] = [await checked('--json'), await checked(), await deep()]
    assert.deepEqual([forPrograms.code, forPrograms.error, forPeople.code, forPeople.error], [1, '', 1, ''])
    const { problems, ...answer } = JSON.parse(forPrograms.out) as { clean: boolean; problems: [Problem, Problem] }
    assert.deepEqual(answer, { clean: false })
    const { pk, sk } = usageKey(media)
    const [{ message: ofObject, ...missing }, { message: ofUsage, ...wrong }, ...others] = problems
    assert.deepEqual(missing, { problem: 'object_missing', company_id, media_id: id, object })
    assert.equal(ofObject, `Of file ${id} the object ${object} is not stored.`)
    assert.deepEqual(wrong, { problem: 'usage_wrong', company_id, user_id, object: `${pk} ${sk}` })
    assert.match(ofUsage, /counted wrongly: \d+ files of \d+ bytes, and there are \d+ of \d+\.$/)
    assert.deepEqual(others, [])
    assert.match(forPeople.out, /^object_missing: Of file \d+ [\s\S]*\nusage_wrong: [\s\S]*\nProblems: 2\.$/)
    assert.equal(deeply.code, 1)
    const found = (JSON.parse(deeply.out) as { problems: Problem[] }).problems.map(({ message: _, ...rest }) => rest)
    const changed = { problem: 'original_md5_wrong', company_id, media_id: other.id }
    assert.deepEqual(
      new Set(found.map((each) => JSON.stringify(each))),
      new Set([missing, wrong, changed].map((each) => JSON.stringify(each))),
    )
  })
})
