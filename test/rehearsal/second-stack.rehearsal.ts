import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, test } from 'vitest'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { newCompany } from '../support/company.ts'
import { serviceAt, startService } from '../support/service.ts'
import { cdk, emulated, folder, settled, stack } from './changing.ts'

const SECOND = 'second-library'

describe('a second stack in the same account', () => {
  let assembly: Assembly
  beforeAll(async () => {
    assembly = await Assembly.synthesize(cdk, `${folder}/second`, emulated, { stackName: SECOND })
  })

  /** Deploys, and ends that as soon as it has come so far. @param far is told what the CLI has written */
  async function interrupt(far: (written: string) => Promise<boolean>): Promise<void> {
    const deployment = cdk.startDeployment(assembly)
    let written = ''
    for (const stream of [deployment.stdout, deployment.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        written += text
      })
    }
    const ended = once(deployment, 'close')
    while (!(await far(written))) {
      assert.equal(deployment.exitCode, null, `it was not ended in time:\n${written.slice(-2_000)}`)
      await pause(20)
    }
    deployment.kill('SIGKILL')
    await ended
  }

  test('is made by repeating a deployment that was interrupted among its files, then among its resources', async () => {
    await interrupt(async (written) => /publish/i.test(written))
    assert.match((await stateOf(SECOND)).status, /ABSENT|REVIEW_IN_PROGRESS/)
    await interrupt(async () => (await stateOf(SECOND)).status === 'CREATE_IN_PROGRESS')
    await cdk.deploy(assembly)
    assert.equal(await settled(SECOND), 'CREATE_COMPLETE')
  })

  test('answers as the first does, and neither knows of the other', async () => {
    const first = await startService()
    const baseUrl = (await stateOf(SECOND)).outputs.BaseUrl!
    const second = serviceAt(baseUrl, await newCompany(SECOND, baseUrl))
    assert.notEqual(first.baseUrl, second.baseUrl)
    const [ofFirst, ofSecond] = [await first.signIn(), await second.signIn()]
    const status = async (service: typeof first, authorization: string) =>
      (await service.request('/folder', { headers: { authorization } })).status
    assert.deepEqual(await Promise.all([status(first, ofFirst), status(second, ofSecond)]), [200, 200])
    assert.deepEqual(await Promise.all([status(first, ofSecond), status(second, ofFirst)]), [401, 401])
  })

  test('is destroyed, and the first stays', async () => {
    await cdk.destroy(assembly)
    assert.match((await stateOf(SECOND)).status, /ABSENT|DELETE_COMPLETE/)
    assert.match((await stateOf(stack)).status, /COMPLETE$/)
    assert.equal((await (await startService()).request('/folder')).status, 401)
  })
})
