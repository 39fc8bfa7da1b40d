import assert from 'node:assert/strict'
import { afterEach, describe, test, vi } from 'vitest'
import { ModuleProcess } from '../../../../../shared/tools/processes/module-process.ts'
import { quadrantImage } from '../../../../support/pictures/index.ts'
import { publishing } from '../../../../support/published-picture.ts'
import { serviceWithAccounts } from '../../../../support/service-with-accounts.ts'

/** Equal requests at a time, to pictures that nobody asked for before. */
const REQUESTS = 100

describe('equal requests to a new picture', async () => {
  const { service } = await serviceWithAccounts()
  const { publish } = await publishing(service)
  afterEach(() => vi.restoreAllMocks())

  /** Counts the pictures that the renderer's processes are asked for from now on. */
  function countRenders(): () => number {
    const asked = vi.spyOn(ModuleProcess.prototype, 'ask')
    return () => asked.mock.calls.filter(([order]) => 'wanted' in order).length
  }

  test('are one render, and all get the same bytes', async () => {
    const { url } = await publish(await quadrantImage({ width: 1200, height: 900 }).jpeg().toBuffer(), 'photo.jpg')
    const renders = countRenders()
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const response = await fetch(`${url}?width=300`)
        const bytes = Buffer.from(await response.arrayBuffer())
        return { status: response.status, etag: response.headers.get('etag'), bytes: bytes.toString('base64') }
      }),
    )
    assert.equal(renders(), 1)
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
    assert.equal(answers[0]!.status, 200)
    assert.equal((await fetch(`${url}?width=300`)).headers.get('x-cache'), 'hit')
    assert.equal(renders(), 1)
  })
})
