import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { baseUrlOf, listenFailure } from '../../../infra/local/http/listen-address.ts'
import { readSettings, settingsAt } from '../../../infra/local/settings.ts'

describe('settings of the single-machine server', () => {
  it('have defaults for everything', () => {
    assert.deepEqual(readSettings({}, '/srv'), {
      host: '127.0.0.1',
      port: 4000,
      dataDirectory: '/srv/data',
      formerCdnUrls: [],
      mailSender: 'library@example.com',
      linkCacheBytes: 1_073_741_824,
      demo: true,
      webhooks: { plainHttp: false, allowed: [], refused: [] },
      openId: { http: false, allowed: [], refused: [] },
      service: {
        brand: 'SVC',
        vendor: 'vendor',
        tokenLifetimeDays: 30,
        maxUploadBytes: 5_368_709_120,
        shareMaxFiles: 1_000,
        shareMaxBytes: 53_687_091_200,
        videoPreviews: 'always',
        eventDays: 90,
      },
    })
  })

  it('come from the environment, where empty means not set', () => {
    const { dataDirectory, port, host, demo, webhooks, linkCacheBytes, service } = readSettings({
      ...{ PORT: '8080', DATA_DIR: '/var/lib/library/', DEMO: '0', BRAND: 'CBX', VENDOR: '', TOKEN_LIFETIME_DAYS: '7' },
      ...{
        WEBHOOK_HTTP: '1',
        WEBHOOK_ALLOW: '10.1.0.0/16, fd00::/8',
        OUTSIDE_REFUSE: '192.0.2.0/24',
        SHARE_MAX_BYTES: '1GiB',
        LINK_CACHE_BYTES: '50MB',
      },
    })
    assert.deepEqual([dataDirectory, port, host, demo, linkCacheBytes], ['/var/lib/library', 8080, '127.0.0.1', false, 50_000_000])
    assert.deepEqual(webhooks, { plainHttp: true, allowed: ['10.1.0.0/16', 'fd00::/8'], refused: ['192.0.2.0/24'] })
    const { brand, vendor, tokenLifetimeDays, shareMaxBytes } = service
    assert.deepEqual([brand, vendor, tokenLifetimeDays, shareMaxBytes], ['CBX', 'vendor', 7, 1024 ** 3])
  })

  it('say where and when the server backs itself up', () => {
    const of = (given: Record<string, string>) => readSettings(given, '/srv').backups
    assert.equal(of({ BACKUP_AT: '04:00' }), undefined)
    assert.deepEqual(of({ BACKUP_TO: 'backups' }), { target: '/srv/backups', at: { hour: 3, minute: 0 } })
    assert.deepEqual(of({ BACKUP_TO: '/mnt/x', BACKUP_AT: '23:59' }), { target: '/mnt/x', at: { hour: 23, minute: 59 } })
  })

  it('name networks, services and addresses', () => {
    const { openId } = readSettings({ OIDC_HTTP: '1', OIDC_ALLOW: '10.0.0.0/8, fd00::/8', OUTSIDE_REFUSE: '10.9.0.0/16' })
    assert.deepEqual(openId, { http: true, allowed: ['10.0.0.0/8', 'fd00::/8'], refused: ['10.9.0.0/16'] })
    assert.equal(readSettings({ MAIL_OPERATOR: 'ops@example.com' }).mailOperator, 'ops@example.com')
    assert.equal(readSettings({ KEYWORDS_URL: '' }).keywordsUrl, undefined)
    assert.equal(readSettings({ KEYWORDS_URL: 'http://127.0.0.1:9000/v1/' }).keywordsUrl, 'http://127.0.0.1:9000/v1')
    for (const MAIL_URL of ['smtp://127.0.0.1:25', 'smtp://a%40b:c@mail.example.com:587/', 'smtps://[::1]:465'])
      assert.equal(readSettings({ MAIL_URL }).mailUrl, MAIL_URL)
    const former = ['https://cdn.example.com', 'http://media.example.com:14001/-/links']
    assert.deepEqual(readSettings({ FORMER_CDN_URLS: former.join(', ') }).formerCdnUrls, former)
  })

  it('take sizes with a unit', () => {
    const size = (text: string) => readSettings({ MAX_UPLOAD_BYTES: text }).service.maxUploadBytes
    const sizes = { 1: 1, '5GB': 5e9, '500 mb': 5e8, '1.5MiB': 1.5 * 1024 ** 2, '1kib': 1024, '7B': 7 }
    for (const [text, bytes] of Object.entries(sizes)) assert.equal(size(text), bytes, text)
  })

  it.each([
    ['OIDC_ALLOW', 'networks', ['10.0.0.0', '10.0.0.0/33', 'example.com', '*']],
    ['OUTSIDE_REFUSE', 'networks', ['8.8.8.8', '8.8.8.0/33']],
    ['WEBHOOK_ALLOW', 'networks, separated by commas', ['fd00::/129', 'example.com/8', '10.0.0.0/8,', '/8', '10.0.0.0/8/8']],
    ['BACKUP_AT', 'a time of day', ['24:00', '3:00', '03:60', '0300', '03:00:00', 'noon', '-1:00', '03:00 ']],
    ['METRICS_TOKEN', 'a secret', ['two words']],
    ['MAIL_OPERATOR', 'an e-mail address', ['ops']],
    [
      'MAX_UPLOAD_BYTES',
      'a size from 1 to 107374182400 bytes, like .*500MB.*5GiB',
      ['0', '200GB', '-1', '5 G', 'GB', '1e9', '0x10', '0.1B'],
    ],
    [
      'KEYWORDS_URL',
      'an address like https://',
      ['k.example.com', 'ftp://k.example.com', 'https://a:hidden@k.example.com', 'https://k.test/?a=1'],
    ],
    ['MAIL_URL', 'the address of a mail server', ['mail.example.com', 'http://a:hidden@mail.example.com', 'smtp://', 'smtp:a:hidden@x']],
    ['MAIL_URL', 'the address of a mail server', ['smtp://a:hidden@x/y', 'smtp://x?hidden', 'smtp://a:50%hidden@x']],
    ['FORMER_CDN_URLS', 'former addresses of links', ['cdn.example.com', 'https://x/', 'https://x/streams', 'https://x:99999']],
    ['FORMER_CDN_URLS', 'former addresses of links', ['https://x https://y', 'https://x,', 'javascript:alert(1)']],
    ['CDN_URL', '', ['cdn.example.com', 'https://cdn.example.com/', 'https://x/path', 'ftp://x']],
    ['PLAYER_URL', '', ['player.example.com', 'https://x/path']],
    ['STOCK_PROVIDER_URL', '', ['ftp://s.example.com', 'https://a:hidden@s.example.com', 'https://s.example.com/?key=1', 's.example.com']],
  ] as const)('refuse other values of %s, and tell no password', (name, what, values) => {
    for (const value of values) {
      assert.throws(
        () => readSettings({ [name]: value }),
        ({ message }: Error) => new RegExp(`${name} must be ${what}`).test(message) && !message.includes('hidden'),
        value,
      )
    }
  })

  it('are refused all at once when they make no sense', () => {
    const wrong = { PORT: '70000', HOST: 'a b', BASE_URL: 'https://x/api', BRAND: 'svc', VENDOR: 'a/b', MAX_UPLOAD_BYTES: '600000000000' }
    assert.throws(
      () => readSettings(wrong),
      (error: Error) => Object.keys(wrong).every((name) => error.message.includes(`  ${name} must be `)),
    )
  })

  it('take a provider of stock by its address, with key and hosts where it has them', () => {
    const providerOf = (given: Record<string, string>) =>
      readSettings({ STOCK_PROVIDER_URL: 'http://10.0.0.7:8080/api/v1/', ...given }).stockProvider
    assert.deepEqual(providerOf({}), { baseUrl: 'http://10.0.0.7:8080/api/v1', key: undefined, hosts: [] })
    const hosts = 'CDN.example.com, files.example.com:8443,files.example.com:443'
    assert.deepEqual(providerOf({ STOCK_PROVIDER_KEY: 'secret', STOCK_PROVIDER_HOSTS: hosts }), {
      baseUrl: 'http://10.0.0.7:8080/api/v1',
      key: 'secret',
      hosts: ['cdn.example.com', 'files.example.com:8443', 'files.example.com'],
    })
    for (const STOCK_PROVIDER_HOSTS of ['https://cdn.example.com', 'a.example.com,,b.example.com', '*.example.com'])
      assert.throws(() => providerOf({ STOCK_PROVIDER_HOSTS }), /STOCK_PROVIDER_HOSTS must be /)
    const alone = { STOCK_PROVIDER_KEY: 'a-key-and-nobody-to-send-it-to' }
    assert.throws(() => readSettings(alone), /STOCK_PROVIDER_URL must be set (?!.*a-key)/s)
    assert.throws(() => providerOf({ STOCK_PROVIDER_KEY: 'two\nlines' }), /STOCK_PROVIDER_KEY must be (?!.*lines)/s)
  })

  it('put links and player below the address of the server, or at host names of their own', () => {
    const shown = (given: Record<string, string>) => {
      const { cdnUrl, playerUrl } = settingsAt('http://x:1', readSettings(given).service)
      return [cdnUrl, playerUrl]
    }
    const [CDN_URL, PLAYER_URL] = ['https://cdn.example.com', 'https://player.example.com']
    assert.deepEqual(shown({}), ['http://x:1/-/links', 'http://x:1/-/player'])
    assert.deepEqual(shown({ CDN_URL, PLAYER_URL }), [CDN_URL, PLAYER_URL])
    assert.deepEqual(shown({ CDN_URL }), [CDN_URL, 'http://x:1/-/player'])
  })
})

describe('the address of a server', () => {
  it('is what clients can use', () => {
    assert.equal(baseUrlOf({ host: '127.0.0.1' }, 4000), 'http://127.0.0.1:4000')
    assert.equal(baseUrlOf({ host: '0.0.0.0' }, 4000), 'http://127.0.0.1:4000')
    assert.equal(baseUrlOf({ host: '::' }, 4000), 'http://[::1]:4000')
    assert.equal(baseUrlOf({ host: 'fe80::1' }, 4000), 'http://[fe80::1]:4000')
    assert.equal(baseUrlOf({ host: '127.0.0.1', publicUrl: 'https://media.example.com' }, 4000), 'https://media.example.com')
  })

  it('is explained when it cannot be had', () => {
    const message = (code: string) => listenFailure(Object.assign(new Error('raw'), { code }), { host: 'h', port: 80 }).message
    assert.match(message('EADDRINUSE'), /Port 80 on h is in use/)
    assert.match(message('EACCES'), /set PORT to one above 1023/i)
    assert.match(message('ENOTFOUND'), /h is no address of this machine/)
    assert.equal(message('EOTHER'), 'raw')
  })
})
