import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, type TestContext, type TestOptions, test } from 'vitest'
import { ServerProcess } from '../infra/local/server-process.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { keptInCache } from '../support/aws/cache.ts'
import { installationStep } from '../support/aws/installation.ts'
import { images } from '../support/pictures/index.ts'
import { copyProject } from '../support/project-copy.ts'
import { isThorough } from '../support/thorough.ts'
import { uploadAndImport } from '../support/uploading.ts'

/** Versions that a machine has. */
interface Machine {
  node: string
  npm: string
  /** Of `npm ci`. */
  flags?: readonly string[]
}

/** Where the system's own tools are. */
const SYSTEM = '/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin'

/** Variables that lead to the package registry. What npm and Vitest set for their scripts would lead the other npm, and the server. */
const KEPT = /^(HOME|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|NPM_CONFIG_\w+|(HTTPS?|NO)_PROXY|(https?|no)_proxy)$/

/**
 * The environment of a machine that has these versions of Node and npm, and nothing of this run's. They are kept in the cache folder.
 * @throws EngineUnavailable without a way to the package registry
 */
async function environmentOf({ node, npm }: Machine): Promise<Record<string, string>> {
  const home = await keptInCache(`node-${node}-npm-${npm}`, async (folder) => {
    const packages = [`node-linux-${process.arch}@${node}`, `npm@${npm}`]
    await installationStep('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', ...packages])
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await symlink(`../node_modules/node-linux-${process.arch}/bin/node`, join(bin, 'node'))
    for (const name of ['npm', 'npx']) {
      const script = `#!/bin/sh\nexec node "$(dirname "$0")/../node_modules/npm/bin/${name}-cli.js" "$@"\n`
      await writeFile(join(bin, name), script)
      await chmod(join(bin, name), 0o755)
    }
  })
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name))
  return { ...Object.fromEntries(kept), PATH: `${join(home, 'bin')}:${SYSTEM}` } as Record<string, string>
}

/** Oldest and newest; npm 12 runs no scripts of packages. */
const extremes: readonly Machine[] = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '24.22.3', npm: '12.2.2' },
]
/** The npm that each Node between them ships; an owner who blocks all scripts. */
const others: readonly Machine[] = [
  { node: '22.23.5', npm: '10.9.9' },
  { node: '24.22.3', npm: '11.19.1' },
  { node: '20.20.2', npm: '10.8.2', flags: ['--ignore-scripts'] },
]
const machines = isThorough ? others : extremes

const run = promisify(execFile)

/** An empty folder that goes with the test. Some tools take # and ? for parts of an address. */
async function emptyFolder({ onTestFinished }: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'installation #1? '))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** A clone of the project without packages. */
async function newClone(context: TestContext): Promise<string> {
  const clone = await emptyFolder(context)
  await copyProject(clone)
  return clone
}

const { skip } = await toolOrSkip('another Node', () => environmentOf(machines[0]!))
// Two at a time: an installation mostly waits, and each takes a gigabyte of the disk.
const options: TestOptions = { ...skip, concurrent: true, timeout: 900_000 }

describe('the first two commands of the README', () => {
  for (const machine of machines) {
    const { node, npm, flags = [] } = machine
    const install = ['npm', 'ci', ...flags].join(' ')
    test(`Node ${node} with npm ${npm}: after ${install} and npm start a picture is uploaded and found`, options, async (context) => {
      const [env, clone] = [await environmentOf(machine), await newClone(context)]
      assert.equal((await run('npm', ['--version'], { env })).stdout.trim(), npm)
      await run('sh', ['-c', install], { cwd: clone, env, maxBuffer: 1024 ** 3 })
      const server = new ServerProcess(await emptyFolder(context), env, ['npm', 'start', '--silent'], clone)
      context.onTestFinished(async () => void (await server.end('SIGTERM')))
      const service = await server.ready()
      const client = await service.client()
      const { id } = await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'harbour.jpg')
      const found = await client['search-media']({ query: { q: 'harbour', return_values: 'unique_media_id' } })
      assert.deepEqual(found.body.response, { hits: 1, media: [{ unique_media_id: Number(id) }] })
      assert.equal((await service.request('/console/')).status, 200)
    })
  }

  test('Node 18 is refused in a sentence by both', options, async (context) => {
    const [env, clone] = [await environmentOf({ node: '18.20.8', npm: '10.8.2' }), await newClone(context)]
    for (const command of ['npm ci', 'npm start']) {
      const { code, stderr } = await run('sh', ['-c', command], { cwd: clone, env, maxBuffer: 1024 ** 3 }).catch((error) => error)
      assert.equal(code, 1, command)
      assert.match(stderr, /^The media library needs Node\.js 20 or newer, but this is v18\.20\.8\.$/m)
    }
  })
})
