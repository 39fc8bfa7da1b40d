import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { Health } from '../../../shared/backends/health/port.ts'

/** A home whose table a test may take away. */
export interface HealthPlace {
  health: Health
  /** Makes the table unreachable. */
  loseTable(): Promise<void>
}

/** What holds for the health of every home. */
export function healthContract(open: () => Promise<HealthPlace>): void {
  it('has no problem when all is well', async () => {
    const { health } = await open()
    assert.deepEqual(await health.problems(), [])
  })

  it('cannot serve when the table is out of reach', async () => {
    const { health, loseTable } = await open()
    await loseTable()
    assert.deepEqual(await health.problems(), [{ code: 'table_unreachable', message: 'The table cannot be read.', stops: true }])
  })
}
