import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openLinkPicturePool } from '../../../shared/tools/imaging/link-picture-process.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { confinement } from '../../../shared/tools/processes/confined.ts'
import { ModuleProcess } from '../../../shared/tools/processes/module-process.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { withPerl } from '../../support/exiftool.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { images, save } from '../../support/pictures/index.ts'
import { skippedFor } from '../../support/skipping.ts'

const way = await confinement()
const withoutNetwork = skippedFor(!way.includes('unshare') && 'this system lets nobody make a network of their own')
const withoutNewRights = skippedFor(!way.includes('setpriv') && 'this system has no setpriv')

const mayGetNewRights = (pid: number | string) => /^NoNewPrivs:\s*0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
const networkOf = (pid: number | string) => readlinkSync(`/proc/${pid}/ns/net`)

/** Asks a server of this machine, and says how that went. */
const ASKING_MODULE = `import { connect } from 'node:net'
  process.on('message', ({ port }) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => process.send({ said: 'connected' }))
    socket.once('error', ({ code }) => process.send({ said: code }))
  })`

/** In the place of ExifTool's script. */
const ASKING_SCRIPT = `use Socket;
  if ($ARGV[-1] eq '-ver') { print "13.59\\n"; exit }
  $| = 1;
  my $port;
  while (<STDIN>) {
    $port = $1 if /^-port=(\\d+)/;
    next unless /^-execute(\\d+)/;
    socket(my $socket, PF_INET, SOCK_STREAM, 0);
    print connect($socket, sockaddr_in($port, INADDR_LOOPBACK)) ? 'connected' : "$!" if $port;
    print "{ready$1}\\n";
  }`

describe('a process that reads what others sent', () => {
  let directory: string
  let picture: string
  let asked = 0
  const host = createServer((socket) => {
    asked++
    socket.destroy()
  })
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'confined-'))
    picture = await save(directory, 'plain.jpg', images['plain.jpg']())
    await once(host.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(async () => {
    host.close()
    await rm(directory, { recursive: true })
  })
  const port = () => (host.address() as AddressInfo).port
  const written = async (name: string, source: string) => {
    const path = join(directory, name)
    await writeFile(path, source)
    return path
  }

  it('reaches no host, not even this one: a module', withoutNetwork, async () => {
    const module = pathToFileURL(await written('ask.mjs', ASKING_MODULE))
    const ask = async (confined: readonly string[]) => {
      const child = new ModuleProcess<{ port: number }, { said: string }>({ confinement: confined, module, env: {} })
      const { said } = await child.ask({ port: port() }, 60_000)
      child.kill()
      await child.ended
      return said
    }
    assert.equal(await ask([]), 'connected')
    asked = 0
    assert.equal(await ask(way), 'ENETUNREACH')
    assert.equal(asked, 0)
  })

  it('reaches no host, not even this one: ExifTool', { ...withPerl, ...withoutNetwork }, async () => {
    asked = 0
    const exiftool = createExifTool({ kind: 'perl', script: await written('ask.pl', ASKING_SCRIPT) })
    const { printed } = await exiftool.run([`-port=${port()}`], picture)
    await exiftool.close()
    assert.equal(printed.toString(), 'Network is unreachable')
    assert.equal(asked, 0)
  })

  describe('gets no network and no new rights', { ...withoutNetwork, ...withoutNewRights }, () => {
    /** What a process may, once it is the program itself. */
    async function assertConfined(program: string, work: () => Promise<unknown>): Promise<void> {
      const started = Promise.withResolvers<ChildProcess>()
      withNextProcess(started.resolve)
      const working = work()
      const { pid } = await started.promise
      const commandOf = () =>
        existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : assert.fail('it is gone')
      while (!commandOf().startsWith(program)) await new Promise(setImmediate)
      // It waits there meanwhile.
      process.kill(pid!, 'SIGSTOP')
      assert.equal(mayGetNewRights(pid!), false)
      assert.notEqual(networkOf(pid!), networkOf('self'))
      process.kill(pid!, 'SIGCONT')
      await working
    }

    it('one for pictures of links', async () => {
      const pool = openLinkPicturePool({ size: 1, waiting: 1 })
      const wanted = { mime: 'image/png', target: { width: 32, height: 24 }, grayscale: false, copyright: '' }
      await assertConfined(process.execPath, () => pool.render(picture, wanted))
      await pool.close()
    })

    it('one for profile images', async () => {
      const bytes = readFileSync(picture)
      await assertConfined(process.execPath, () => openProfileImageMaker()(bytes, 4 * 1024 * 1024))
    })

    it('one that probes videos', async () => {
      await assertConfined(process.execPath, () => assert.rejects(createVideoProbe()(picture), /can't be probed/))
    })

    it('ExifTool', withPerl, async () => {
      const exiftool = createExifTool({ kind: 'perl' })
      await exiftool.engine()
      await assertConfined('perl', () => exiftool.readTags(picture, 'plain.jpg'))
      await exiftool.close()
    })
  })
})
