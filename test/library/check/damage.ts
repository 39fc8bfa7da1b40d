import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { TestClock } from '../../support/test-clock.ts'
import { type HealthyLibrary, healthyLibrary, openTestStores } from './healthy-library.ts'

/** One thing that is wrong with a library. */
export interface Damage {
  /** What was done by hand, and what the check must say of it. */
  damage(library: HealthyLibrary): Promise<unknown>
  found(library: HealthyLibrary): Omit<Problem, 'message'>[]
}

/** An id that nothing in the library has. */
export const NOWHERE = 99

/** Seconds. */
export const HOUR = 3_600
export const DAY = 24 * HOUR

export const fileIds = ({ companyId, file }: HealthyLibrary) => ({ company_id: companyId, media_id: file.mediaId })
export const userIds = ({ companyId, userId }: HealthyLibrary) => ({ company_id: companyId, user_id: userId })

/** What the keys of the file's objects begin with. */
export const prefixOf = ({ file }: HealthyLibrary) => objectKeys.prefix(file)

/** The key of the record that counts the bytes of the file, as problems name it. */
export function usageAddress({ file }: HealthyLibrary): string {
  const { pk, sk } = usageKey(file)
  return `${pk} ${sk}`
}

/** A library in which nothing is wrong, and the clock that it goes by. */
export async function open() {
  const clock = new TestClock()
  return { clock, library: await healthyLibrary(openTestStores(clock), clock) }
}

const inOrder = (problems: Omit<Problem, 'message'>[]) => problems.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort()

/** Tests that a check finds each damage, and nothing else. @param cases by what is wrong */
export function findsEach(cases: Record<string, Damage>): void {
  describe('a check of a library', () => {
    for (const [name, { damage, found }] of Object.entries(cases)) {
      test(`finds ${name}, and nothing else`, async () => {
        const { library } = await open()
        await damage(library)
        assert.deepEqual(inOrder(await library.check()), inOrder(found(library)))
      })
    }
  })
}
