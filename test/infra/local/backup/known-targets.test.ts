import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { lackOfDisk } from '../../../../infra/local/backup/known-targets.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

/** As fstab(5) has them: a space is `\040`. */
const FSTAB = String.raw`# /etc/fstab
UUID=1 / ext4 defaults 0 1
UUID=2 /mnt/backups ext4 nofail 0 2
  UUID=3	/mnt/my\040disk/	ext4	noauto	0	2
UUID=4 none swap sw 0 0
#UUID=5 /mnt/former ext4 defaults 0 2
tmpfs /mnt tmpfs defaults 0 0
`

describe('the disk of a folder for backups', () => {
  const directory = temporaryDirectory(afterAll)
  const table = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const wanted = table('fstab', FSTAB)
  const lack = (target: string, mounted: string) => lackOfDisk(directory, target, { wanted, mounted: table('mounts', mounted) })
  const system = '/dev/sda1 / ext4 rw 0 0\nproc /proc proc rw 0 0\ntmpfs /mnt tmpfs rw 0 0\n'

  it.each(['/mnt/backups', '/mnt/backups/library', '/mnt/my disk/library'])('is missed where it is not mounted: %s', (target) => {
    assert.match(lack(target, system) ?? '', /^Nothing is mounted at \/mnt\/(backups|my disk), /)
    assert.equal(
      lack(target, String.raw`${system}/dev/sdb1 /mnt/backups ext4 rw 0 0${'\n'}/dev/sdc1 /mnt/my\040disk ext4 rw 0 0`),
      undefined,
    )
  })

  it.each(['/mnt/backups-of-others', '/mnt/former/library', '/srv/backups', '/'])('is no other than the one of its path: %s', (target) => {
    assert.equal(lack(target, system), undefined)
  })

  it('is not missed where nothing tells what is mounted', () => {
    assert.equal(lackOfDisk(directory, '/mnt/backups', { wanted, mounted: join(directory, 'missing') }), undefined)
  })
})
