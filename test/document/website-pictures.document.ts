import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { quadrantImage } from '../support/pictures/index.ts'
import { type Service, startService } from '../support/service.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { uploadAndImport } from '../support/uploading.ts'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))
const guide = await readFile(join(root, 'infra/guides/website-pictures.md'), 'utf8')

/** The alias, the link and the host of the guide's examples. */
const ALIAS = 'press'
const HOST = 'https://cdn.example.com'
const ID = '0123456789abcdef0123456789abcdef'
const LINK = `${HOST}/${ALIAS}/${ID}`

const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)
/** Each once. */
const addresses = [...new Set(guide.matchAll(/https:\/\/cdn\.example\.com\/[^\s"'`]+/g).map(([address]) => address))]

/** Runs the guide's commands, as somebody who has signed in and uploaded a picture. @returns the link's address, without extension */
async function follow(service: Service): Promise<string> {
  const client = await service.client()
  const picture = await quadrantImage({ width: 2400, height: 1800 }).jpeg().toBuffer()
  const { id } = await uploadAndImport(client, service.demo.folder_id, picture, 'harbour.jpg')
  const script = [
    'set -euo pipefail',
    'field() { node -pe "JSON.parse(fs.readFileSync(0, \'utf8\')).$1"; }',
    'npm() { (cd "$ROOT" && command npm "$@"); }',
    ...commands,
    'echo "LINK=$LINK"',
  ]
  const { cdn_alias, cdn_folder_id, company_id } = service.demo
  const text = script.join('\n').replaceAll(`--company 42 --alias ${ALIAS}`, `--company ${company_id} --alias ${cdn_alias}`)
  const env = {
    ...{ ...process.env, ROOT: root, DATA_DIR: service.directory, BASE: service.baseUrl },
    ...{ AUTH: `Authorization: ${await service.signIn()}`, MEDIA: String(id), CDN: String(cdn_folder_id) },
  }
  const { stdout } = await run('bash', ['-c', text], { cwd: temporaryDirectory(afterAll), env }).catch((error) =>
    assert.fail(`${error.stderr}\n${error.stdout}`),
  )
  return /^LINK=(.+)\.jpg$/m.exec(stdout)![1]!
}

describe('the guide of pictures on websites', () => {
  let service: Service
  let link: string
  // Its commands do what it says: the first that fails ends them.
  beforeAll(async () => {
    service = await startService()
    link = await follow(service)
  })
  afterAll(() => service.stop())

  test('has commands and addresses', () => assert.ok(commands.length > 5 && addresses.length > 15))

  test.each(addresses)('%s is there', async (address) => {
    const known = address.replace(LINK, link).replace(`${HOST}/iiif/3/${ALIAS}/${ID}`, link.replace(/\/[^/]+\/[^/]+$/, '/iiif/3$&'))
    const response = await fetch(known, { headers: { accept: 'image/avif,image/webp,*/*' } })
    assert.equal(response.status, 200, `${known}: ${response.status} ${await response.clone().text()}`)
    assert.equal(response.headers.get('link-ignored'), null)
    await response.arrayBuffer()
  })
})
