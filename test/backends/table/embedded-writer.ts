import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'

/**
 * A process of its own that writes to an embedded table: each round is a transaction of two entries and a shared counter. Says each
 * round once it is acknowledged.
 * Arguments: file, its name, number of rounds.
 */
const [path = '', name = '', rounds = '0'] = process.argv.slice(2)
const table = openEmbeddedTable(path)
for (let round = 0; round < Number(rounds); round++) {
  await table.transact({
    left: { put: { pk: name, sk: `left ${round}`, padding: 'x'.repeat(5000) } },
    counter: { update: { pk: 'COUNTER', sk: 'all' }, changes: { add: { rounds: 1, [name]: 1 } } },
    right: { put: { pk: name, sk: `right ${round}`, padding: 'x'.repeat(5000) } },
  })
  process.stdout.write(`${round}\n`)
}
table.close()
