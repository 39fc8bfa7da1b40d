import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, onTestFinished, test, vi } from 'vitest'
import { downloaded, memberOf, unpacked } from '../../../../infra/aws/bundling/debian-package.ts'
import { skippedFor } from '../../../support/skipping.ts'

const withTar = skippedFor(spawnSync('tar', ['--version']).status !== 0 && 'there is no tar')

/** A tar archive, compressed by xz, with the file `usr/bin/greeting`. */
const DATA = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AIhdABcLyyeJ8uv7sv6J4fnJCB0cKx5/hlD7z8AiblPuVvXoYIucEPTnK6pVQDhEbCDLQEcTOnbJIF1+9sSrrAJdu5Ed8QkPi1xs37XB0e28+g0liHIwpQUJFAPn06iRJAVX/ARTNxP4HD7yQN2CtOeqZ9xf66+kXxdYUkojaHChuSa37dWG14tDNAAAmiZlWQ4PeygAAaQBgFAAAB42Xf2xxGf7AgAAAAAEWVo=',
  'base64',
)

/** An `ar` archive as Debian makes them. */
function ar(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(members).flatMap(([name, bytes]) => [
    Buffer.from(
      `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.alloc(bytes.length % 2, '\n'),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

const deb = ar({ 'debian-binary': Buffer.from('2.0\n'), 'control.tar.xz': Buffer.from('odd'), 'data.tar.xz': DATA })
const wanted = { path: 'main/g/greeting_1.0_arm64.deb', sha256: createHash('sha256').update(deb).digest('hex') }

describe('a package of Debian', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Answers like the archives, and keeps what was asked for. */
  function archives(...answers: (() => Response)[]): string[] {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return answers[asked.length - 1]!()
    })
    return asked
  }

  test('is unpacked without ar and xz', withTar, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'debian-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await unpacked(deb, folder)
    assert.equal(await readFile(join(folder, 'usr/bin/greeting'), 'utf8'), 'hello\n')
  })

  test('lacks a member, or is none', () => {
    assert.deepEqual(memberOf(deb, 'debian-binary'), Buffer.from('2.0\n'))
    assert.throws(() => memberOf(deb, 'data.tar.zst'), /has no data\.tar\.zst/)
    assert.throws(() => memberOf(Buffer.from('<html>'), 'data.tar.xz'), /not an ar archive/)
  })

  test("comes from the archive of today, and from the one that keeps all when it isn't there any more", async () => {
    const first = archives(() => new Response(new Uint8Array(deb)))
    assert.deepEqual(await downloaded(wanted), deb)
    assert.deepEqual(first, ['https://deb.debian.org/debian/pool/main/g/greeting_1.0_arm64.deb'])

    const asked = archives(
      () => new Response('', { status: 404 }),
      () => new Response(new Uint8Array(deb)),
    )
    assert.deepEqual(await downloaded(wanted), deb)
    assert.match(asked[1]!, /^https:\/\/snapshot\.debian\.org\/archive\/debian\/\d{8}T000000Z\/pool\/main\/g\/greeting_1\.0_arm64\.deb$/)
  })

  test('that is another than the one that was checked is refused', async () => {
    const forged = () => new Response('another')
    archives(forged, forged)
    await assert.rejects(downloaded(wanted), /deb\.debian\.org.*another file.*snapshot.*another file/)
  })
})
