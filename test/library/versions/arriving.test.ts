import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'vitest'
import { checkNumbers } from '../../../shared/library/check/numbers.ts'
import { formerFiles, replacements } from '../../../shared/library/media/files.ts'
import { takeFailedVersion, takeVersion } from '../../../shared/library/transfer/take-version.ts'
import { availableFile } from '../../support/numbers.ts'
import { companyWithFile, ID } from './set-up.ts'

test('versions of another library wait from now on, however old they are, and their names lead nowhere', async () => {
  const { library, companyId, objects: uploads, table } = await companyWithFile({ given: { fileNumber: 3, lastNumber: 3 } })
  const said = { filename: '../../etc/then.txt', bytes: 1, created: 7, comment: '', pinned: false }
  const bytes = { md5: '0cc175b9c0f1b6a831c399e269772661', open: async () => Readable.from([Buffer.from('a')]) }
  const of = { companyId, mediaId: ID }
  await takeVersion({ ...library, uploads }, of, { ...said, ...bytes, number: 1 })
  await takeFailedVersion(library, of, { ...said, number: 2 })
  const [waiting, former] = [await replacements(library, ID), await formerFiles(library, ID)]
  assert.deepEqual(
    [...waiting, ...former].map(({ filename }) => filename),
    ['then.txt', 'then.txt'],
  )
  const checked = { table, clock: library.clock, media: undefined, publicFiles: undefined, foldersOf: async () => undefined }
  assert.deepEqual(await Array.fromAsync(checkNumbers(checked, await availableFile(table, ID), { waiting, former })), [])
})
