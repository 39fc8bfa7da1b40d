import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { remoteServicesDocument } from '../../infra/clients/reference/remote-services/document.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { npmPackages } from '../support/aws/npm-packages.ts'

/** 100 MB that only this step needs. */
const packages = { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' }

const { tool: modules, skip } = await toolOrSkip('a linter', () => npmPackages('document-tools', packages))

/** What a linter finds. */
interface Findings {
  code: number
  output: string
}

describe('linters of OpenAPI documents', skip, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'document-'))
    await writeFile(join(folder, 'right.json'), JSON.stringify(openApiDocument(endpoints, defaultSettings)))
    await writeFile(join(folder, 'services.json'), JSON.stringify(remoteServicesDocument()))
    await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = (program: string, args: string[]) =>
    new Promise<Findings>((resolve) => {
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', SCARF_ANALYTICS: 'false' }
      execFile(join(modules!, '.bin', program), args, { cwd: folder, env, timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, output: stdout + stderr }),
      )
    })
  const linters: Record<string, (file: string) => Promise<Findings>> = {
    redocly: (file) => run('redocly', ['lint', '--extends=recommended', '--format=stylish', file]),
    spectral: (file) => run('spectral', ['lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'error', file]),
  }

  for (const [name, lint] of Object.entries(linters)) {
    test.each([
      ['the API document', 'right.json'],
      ['the document of services outside', 'services.json'],
    ])(`${name} finds no error in %s`, async (_, file) => {
      const { code, output } = await lint(file)
      assert.equal(code, 0, output)
    })
  }
})
