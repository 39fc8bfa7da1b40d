import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { provisioning } from '../support/accounts.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { pythonWith } from '../support/aws/python-environment.ts'
import { images } from '../support/pictures/index.ts'
import { type Service, startService } from '../support/service.ts'
import { harbour, stockItems } from '../support/stock-items.ts'
import { isThorough } from '../support/thorough.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { tool: python, skip } = await toolOrSkip('schemathesis', () => pythonWith('schemathesis', '4.32.5'))

/** Calls at least, and of how many kinds each operation: those with few inputs have fewer different calls. */
const CALLS = isThorough ? 2_000 : 300
const CALLS_AN_OPERATION = isThorough ? 50 : 5

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  // Of schemathesis_hooks.py.
  'accepted',
]

describe('schemathesis, with ids of what there is', skip, () => {
  let service: Service
  let folder: string
  beforeAll(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('what the document allows is not refused but for the state of the library, and no answer is off its schema', async () => {
    const options = `--seed 8 --max-examples ${CALLS_AN_OPERATION} --phases fuzzing --mode positive --no-shrink`.split(' ')
    const { output, code } = await run(
      [
        ...['run', `${service.baseUrl}/openapi.json`, ...options, '--checks', checks.join(), '--continue-on-failure'],
        ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color', '-H', `Authorization: ${await service.signIn()}`],
      ],
      {
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        ...(await surroundings()),
      },
    )
    assert.equal(code, 0, output)
    assert.ok(Number(/(\d+) generated/.exec(output)?.[1]) >= CALLS, output)
    const statuses = service.log.flatMap((line) => JSON.parse(line).status ?? [])
    const successes = statuses.filter((status) => status < 300).length
    // Calls that find nothing would prove little. Of those with an arbitrary If-Match or Idempotency-Key many are refused.
    assert.ok(successes > CALLS / 4, `${successes} calls succeeded`)
  })

  /** What the hooks are told: ids of things that there are, enough to survive being deleted, and a picture. */
  async function surroundings() {
    const client = await service.client()
    const { company_id, user_id } = service.demo
    const picture = await images['plain.jpg']()
    const cdn = (await client['list-cdn-aliases']({ params: { company: company_id } })).body.aliases.map(({ folder_id }) => folder_id)
    const live = { folder: [] as number[], cdn, media: [] as number[], clique: [] as number[], company: [company_id], user: [user_id] }
    for (let each = 0; each < 60; each++) live.folder.push((await client['create-folder']({ body: { name: `Folder ${each}` } })).body.id)
    for (const id of live.folder.slice(0, 12)) live.media.push(Number((await uploadAndImport(client, id, picture, 'plain.jpg')).id))
    for (const id of live.media) await client['copy-media']({ params: { id, folderId: cdn[0]! } })
    live.media.push(...(await stock()))
    for (let each = 0; each < 12; each++) {
      live.clique.push((await client['create-clique']({ body: { name: `Clique ${each}`, svc_id: company_id } })).body.id)
    }
    return { LIVE_IDS: JSON.stringify(live), PICTURE: picture.toString('base64') }
  }

  /** @returns ids of items of the stock library that the demo company may use */
  async function stock(): Promise<number[]> {
    const accounts = await provisioning(service)
    try {
      const items = stockItems(accounts)
      await items.allow(toCompanyId(service.demo.company_id))
      return [await items.harbour(), await items.item(harbour)]
    } finally {
      accounts.close()
    }
  }

  function run(args: string[], environment: Record<string, string>): Promise<{ code: number; output: string }> {
    const program = 'from schemathesis.cli import schemathesis; schemathesis()'
    const options = { cwd: folder, env: { ...process.env, ...environment }, timeout: 600_000, maxBuffer: 64 * 1024 ** 2 }
    return new Promise((resolve) => {
      execFile(python!, ['-c', program, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, output: stdout + stderr }),
      )
    })
  }
})
