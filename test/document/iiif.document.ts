import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { toolOrSkip } from '../support/available-tool.ts'
import { EngineUnavailable } from '../support/aws/engine.ts'
import { pythonWith } from '../support/aws/python-environment.ts'
import { imageService } from '../support/image-service.ts'
import { publishing } from '../support/published-picture.ts'
import { type Service, startService } from '../support/service.ts'

const execute = promisify(execFile)

/** IIIF's own validator of image services, and what makes models of its schema of manifests. */
const { tool: validator, skip } = await toolOrSkip("IIIF's validator", async () => {
  const python = await pythonWith('iiif-validator', '1.0.5')
  // One of its tests needs a library of the system.
  await execute(python, ['-c', 'import iiif_validator.tests']).catch((cause) => {
    throw new EngineUnavailable('it lacks libmagic', { cause })
  })
  return python
})
const { tool: models, skip: withoutModels } = await toolOrSkip('a model of IIIF manifests', () => pythonWith('iiif-prezi3', '3.1.1'))

describe('IIIF', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('its own validator finds nothing wrong at level 2, nor with the headers that it counts to level 3', skip, async () => {
    const { publish } = await publishing(service)
    const { url } = await publish(await colouredSquares(validator!), 'squares.png')
    const { host, pathname } = new URL(imageService(url))
    const [linkId, ...prefix] = pathname.slice(1).split('/').toReversed()
    const script = join(dirname(validator!), 'iiif-validate.py')
    const common = [
      script,
      '--server',
      host,
      '--prefix',
      prefix.toReversed().join('/'),
      '--identifier',
      linkId!,
      '--version',
      '3.0',
      '--verbose',
    ]
    const headers = ['linkheader_canonical', 'linkheader_profile', 'rot_mirror', 'rot_mirror_180'].flatMap((name) => ['--test', name])
    for (const [which, least] of [
      [['--level', '2'], 30],
      [headers, 4],
    ] as const) {
      const { stdout, stderr } = await execute(validator!, [...common, ...which]).catch((error) => error)
      const [, tests, failures] = /Done \((\d+) tests, (\d+) failures\)/.exec(stderr) ?? []
      assert.ok(Number(tests) >= least, `${stdout}\n${stderr}`)
      assert.equal(Number(failures), 0, stderr)
    }
  })

  test('manifests fit the model of the Presentation API 3', withoutModels, async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
      .withExif({ IFD0: { Copyright: '© Anna Berg' } })
      .jpeg()
      .toBuffer()
    const { publish } = await publishing(service)
    const address = imageService((await publish(picture, 'teal.jpg')).url)
    const response = await fetch(`${address}/manifest.json`)
    assert.equal(response.status, 200)
    const text = await response.text()
    const read = 'import sys, iiif_prezi3; print(iiif_prezi3.Manifest.model_validate_json(sys.argv[1]).id)'
    const { stdout } = await execute(models!, ['-c', read, text])
    assert.equal(stdout.trim(), `${address}/manifest.json`)
    // The model lets fields pass that it doesn't know.
    const known = ['@context', 'id', 'type', 'label', 'summary', 'requiredStatement', 'thumbnail', 'items']
    assert.deepEqual(
      Object.keys(JSON.parse(text)).filter((name) => !known.includes(name)),
      [],
    )
  })
})

/** The validator's picture: squares of 100 pixels in the colours of its table. */
async function colouredSquares(python: string): Promise<Buffer> {
  const table = 'import json; from iiif_validator.validator import ValidationInfo; print(json.dumps(ValidationInfo().colorInfo))'
  const { stdout } = await execute(python, ['-c', table])
  const colours = JSON.parse(stdout.trim().split('\n').at(-1)!) as [number, number, number][][]
  const small = Buffer.alloc(10 * 10 * 3)
  for (const [x, column] of colours.entries()) for (const [y, colour] of column.entries()) small.set(colour, (y * 10 + x) * 3)
  return sharp(small, { raw: { width: 10, height: 10, channels: 3 } })
    .resize(1_000, 1_000, { kernel: 'nearest' })
    .png()
    .toBuffer()
}
