import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { regions } from '../../../infra/aws/deploy/regions.ts'
import { rekognitionRegions } from '../../../shared/backends/keywords/regions.ts'
import { ministackPython } from '../../support/aws/ministack.ts'

test('keywords are suggested in those regions of the manual in which AWS has Rekognition', async () => {
  const program = 'import json; from botocore import session; print(json.dumps(session.get_session().get_available_regions("rekognition")))'
  const { stdout } = await promisify(execFile)(await ministackPython(), ['-c', program])
  const published: readonly string[] = JSON.parse(stdout)
  assert.deepEqual(
    regions.filter((region) => rekognitionRegions.includes(region)),
    regions.filter((region) => published.includes(region)),
  )
})
