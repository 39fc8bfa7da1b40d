import { afterAll, describe } from 'vitest'
import { tableHealth } from '../../../shared/backends/health/table.ts'
import { dynamoClient, dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { countFailed } from '../../../shared/library/jobs/operator.ts'
import { makeTemporaryTable } from '../table/temporary-table.ts'
import { healthContract } from './contract.ts'

describe('the health of a deployment', () => {
  const client = dynamoClient()
  const removals: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const remove of removals) await remove()
    client.destroy()
  })

  healthContract(async () => {
    const { tableName, remove } = await makeTemporaryTable(client)
    let isLost = false
    const removeOnce = async () => {
      if (!isLost) await remove()
      isLost = true
    }
    removals.push(removeOnce)
    return { health: tableHealth(dynamoTable({ tableName, client }), countFailed, async () => 0), loseTable: removeOnce }
  })
})
