import assert from 'node:assert/strict'
import { test } from 'vitest'
import { sharesOf } from '../../../shared/library/access/shares.ts'
import { type CliqueRecord, cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { type Right, rightSet } from '../../../shared/library/tree/rights.ts'
import { toCliqueId, toCompanyId, toFolderId } from '../../../shared/library/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'

const FOLDER = toFolderId(5)

/** The first clique of a table, which gives one right on the folder. */
function clique(right: Right): CliqueRecord {
  const cliqueId = toCliqueId(1)
  const shares = { [FOLDER]: [right] }
  return { ...cliqueKey(cliqueId), cliqueId, companyId: toCompanyId(7), name: 'Press', thumbnail: null, shares, revision: 2 }
}

test('what a clique of one table shares, one of another table with the same id and revision does not', () => {
  const rights = (['READ', 'WRITE'] as const).map((right) => sharesOf(openTestTable(), [clique(right)]).get(FOLDER))
  assert.deepEqual(rights, [rightSet(['READ']), rightSet(['WRITE'])])
})

test('a change of a clique takes effect at once', () => {
  const library = openTestTable()
  assert.equal(sharesOf(library, [clique('READ')]).get(FOLDER), rightSet(['READ']))
  assert.equal(sharesOf(library, [{ ...clique('WRITE'), revision: 3 }]).get(FOLDER), rightSet(['WRITE']))
})
