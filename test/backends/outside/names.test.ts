import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, onTestFinished, test } from 'vitest'
import { hostNames } from '../../../shared/backends/outside/names.ts'
import { type DnsAnswer, dnsServer } from '../../support/dns-server.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { TestClock } from '../../support/test-clock.ts'
import { until } from '../../support/until.ts'

const from = 'company 1'

/** Names that a server of the test tells, and files like those in `/etc`. */
async function openNames(answerOf: (name: string) => DnsAnswer, files: { hosts?: string; resolv?: string } = {}) {
  const clock = new TestClock()
  const { address, asked } = await dnsServer(answerOf)
  const directory = temporaryDirectory()
  const [hosts, resolv] = [`${directory}/hosts`, `${directory}/resolv.conf`]
  await writeFile(hosts, files.hosts ?? '')
  await writeFile(resolv, files.resolv ?? '')
  return { clock, asked, resolve: hostNames({ clock, servers: [address], files: { hosts, resolv } }) }
}

const told = (answers: Record<string, DnsAnswer>) => (name: string) => answers[name] ?? 'unknown'

describe('names of hosts', () => {
  test('have the addresses of both families that the name server tells', async () => {
    const { resolve } = await openNames(told({ 'both.example.com': ['192.0.2.1', '2001:db8::1', '192.0.2.2'], 'six.example.com': ['::1'] }))
    assert.deepEqual(await resolve('both.example.com', { from }), [
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
    assert.deepEqual(await resolve('six.example.com', { from }), [{ address: '::1', family: 6 }])
    await assert.rejects(resolve('none.example.com', { from }), { code: 'ENOTFOUND' })
  })

  test('of the hosts file have its addresses, and localhost is this machine', async () => {
    const hosts =
      '# 192.0.2.9 own\n192.0.2.1\tother own # 192.0.2.9 own\r\n2001:db8::1 Own.example.com own\nfe80::1%lo0 own\nnonsense own\n'
    const { resolve, asked } = await openNames(() => ['192.0.2.3'], { hosts })
    const addresses = async (host: string) => (await resolve(host, { from })).map(({ address }) => address)
    assert.deepEqual(await addresses('own'), ['192.0.2.1', '2001:db8::1'])
    assert.deepEqual(await addresses('own.example.com'), ['2001:db8::1'])
    assert.deepEqual(await addresses('localhost'), ['127.0.0.1', '::1'])
    assert.deepEqual(await addresses('a.localhost'), ['127.0.0.1', '::1'])
    assert.deepEqual(asked, [])
    assert.deepEqual(await addresses('wn'), ['192.0.2.3'])
  })

  test('are completed by the search domains as resolv.conf(5) says', async () => {
    const resolv = 'nameserver 192.0.2.53\nsearch old.example\nsearch first.example second.example\n'
    const answers = { 'hook.second.example': ['192.0.2.2'], 'hook.team.first.example': ['192.0.2.3'], absolute: ['192.0.2.4'] }
    const { resolve, asked } = await openNames(told(answers), { resolv })
    assert.equal((await resolve('hook', { from }))[0]?.address, '192.0.2.2')
    assert.equal((await resolve('hook.team', { from }))[0]?.address, '192.0.2.3')
    assert.deepEqual(asked, ['hook.first.example', 'hook.second.example', 'hook.team', 'hook.team.first.example'])
    assert.equal((await resolve('absolute.', { from }))[0]?.address, '192.0.2.4')
    assert.equal(asked.length, 5)
  })

  test('of one company that nobody tells take two lookups at a time, and none from others', async () => {
    const { resolve, asked, clock } = await openNames((name) => (name.startsWith('silent') ? 'silent' : ['192.0.2.1']))
    const ended: string[] = []
    const lookups = Array.from({ length: 20 }, (_, n) =>
      resolve(`silent${n}.example.com`, { from }).catch((error) => {
        ended.push(error.code)
      }),
    )
    // Also of a name that the first company waits for.
    for (const host of ['other.example.com', 'silent19.example.com']) {
      const found = resolve(host, { from: 'company 2' }).catch(() => undefined)
      if (host === 'other.example.com') assert.equal((await found)?.length, 1)
      else await until(() => asked.includes(host))
    }
    assert.deepEqual(ended, [])
    assert.deepEqual(new Set(asked), new Set(['silent0.example.com', 'silent1.example.com', 'other.example.com', 'silent19.example.com']))
    clock.advance(5)
    await until(() => asked.includes('silent3.example.com'))
    assert.deepEqual(ended, ['ETIMEOUT', 'ETIMEOUT', 'ETIMEOUT'])
    assert.ok(!asked.includes('silent4.example.com'))
    const ending = setInterval(() => clock.advance(5), 20)
    onTestFinished(() => clearInterval(ending))
    await Promise.all(lookups)
  })

  test('are looked up once for all who wait for them, and anew for those who come later', async () => {
    const { resolve, asked } = await openNames(() => ['192.0.2.1'])
    await Promise.all(Array.from({ length: 20 }, (_, n) => resolve('one.example.com', { from: `company ${n % 3}` })))
    assert.deepEqual(asked, ['one.example.com'])
    await resolve('one.example.com', { from })
    assert.equal(asked.length, 2)
  })

  test('that fail are not asked for again for a minute', async () => {
    const answers: Record<string, DnsAnswer> = {}
    const { resolve, asked, clock } = await openNames((name) => answers[name] ?? 'unknown')
    await assert.rejects(resolve('late.example.com', { from }), { code: 'ENOTFOUND' })
    answers['late.example.com'] = ['192.0.2.1']
    clock.advance(59)
    await assert.rejects(resolve('late.example.com', { from: 'company 2' }), { code: 'ENOTFOUND' })
    assert.equal(asked.length, 1)
    clock.advance(2)
    assert.equal((await resolve('late.example.com', { from })).length, 1)
  })

  test('that nobody waits for any more are not looked up', async () => {
    const { resolve, asked, clock } = await openNames(() => 'silent')
    const left = new AbortController()
    const lookups = ['a', 'b', 'c'].map((name) => resolve(`${name}.example.com`, { from, signal: left.signal }).catch(({ name }) => name))
    await until(() => asked.length === 2)
    left.abort()
    clock.advance(5)
    assert.deepEqual(await Promise.all(lookups), ['TimeoutError', 'TimeoutError', 'AbortError'])
    assert.deepEqual(asked, ['a.example.com', 'b.example.com'])
  })
})
