import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { remoteServicesDocument } from '../../infra/remote-services/document.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { documentTools } from './tools.ts'

const { tool: modules, skip } = await toolOrSkip('a linter', documentTools)

/** What a linter finds. */
interface Findings {
  code: number
  output: string
}

describe('linters of OpenAPI documents', skip, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'document-'))
    const right = openApiDocument(endpoints, defaultSettings)
    await writeFile(join(folder, 'right.json'), JSON.stringify(right))
    await writeFile(join(folder, 'services.json'), JSON.stringify(remoteServicesDocument()))
    const wrong = structuredClone(right) as { paths: Record<string, Record<string, Record<string, unknown>>> }
    delete wrong.paths['/folder/{id}']!.get!.parameters
    await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong))
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

    test(`${name} finds a parameter that is not declared`, async () => {
      const { code, output } = await lint('wrong.json')
      assert.equal(code, 1, output)
      assert.match(output, /path-?param/)
    })
  }
})
