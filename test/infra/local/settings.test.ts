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
      webhooks: { plainHttp: false, allowed: [] },
      openId: { http: false, allow: [] },
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
    const settings = readSettings({
      HOST: '0.0.0.0',
      PORT: '8080',
      DATA_DIR: '/var/lib/library/',
      BASE_URL: 'https://media.example.com',
      BRAND: 'CBX',
      VENDOR: '',
      TOKEN_LIFETIME_DAYS: '7',
      VIDEO_PREVIEWS: 'on-demand',
      EVENT_DAYS: '30',
      MAX_UPLOAD_BYTES: '1000',
      SHARE_MAX_FILES: '5',
      SHARE_MAX_BYTES: '1GiB',
      LINK_CACHE_BYTES: '50MB',
      DEMO: '0',
      WEBHOOK_HTTP: '1',
      WEBHOOK_ALLOW: '10.1.0.0/16, fd00::/8',
      MAIL_SENDER: 'media@example.com',
      MAIL_URL: 'smtps://anna:secret@mail.example.com',
    })
    assert.deepEqual(settings, {
      host: '0.0.0.0',
      port: 8080,
      dataDirectory: '/var/lib/library',
      publicUrl: 'https://media.example.com',
      formerCdnUrls: [],
      mailSender: 'media@example.com',
      mailUrl: 'smtps://anna:secret@mail.example.com',
      openId: { http: false, allow: [] },
      linkCacheBytes: 50_000_000,
      demo: false,
      webhooks: { plainHttp: true, allowed: ['10.1.0.0/16', 'fd00::/8'] },
      service: {
        ...{ brand: 'CBX', vendor: 'vendor', tokenLifetimeDays: 7, maxUploadBytes: 1000, videoPreviews: 'on-demand', eventDays: 30 },
        ...{ shareMaxFiles: 5, shareMaxBytes: 1024 ** 3 },
      },
    })
  })

  it('say which providers of sign-on may be asked besides those outside', () => {
    const { openId } = readSettings({ OIDC_HTTP: '1', OIDC_ALLOW: '10.0.0.0/8, fd00::/8' })
    assert.deepEqual(openId, { http: true, allow: ['10.0.0.0/8', 'fd00::/8'] })
    for (const OIDC_ALLOW of ['10.0.0.0', '10.0.0.0/33', 'example.com', '*']) {
      assert.throws(() => readSettings({ OIDC_ALLOW }), /OIDC_ALLOW must be networks/)
    }
  })

  it('say where and when the server backs itself up', () => {
    const of = (given: Record<string, string>) => readSettings(given, '/srv').backups
    assert.equal(of({ BACKUP_AT: '04:00' }), undefined)
    assert.deepEqual(of({ BACKUP_TO: 'backups' }), { target: '/srv/backups', at: { hour: 3, minute: 0 } })
    assert.deepEqual(of({ BACKUP_TO: '/mnt/x', BACKUP_AT: '23:59' }), { target: '/mnt/x', at: { hour: 23, minute: 59 } })
    for (const wrong of ['24:00', '3:00', '03:60', '0300', '03:00:00', 'noon', '-1:00', '03:00 '])
      assert.throws(() => of({ BACKUP_AT: wrong }), /BACKUP_AT must be a time of day/, wrong)
    assert.equal(readSettings({ MAIL_OPERATOR: 'ops@example.com' }).mailOperator, 'ops@example.com')
    assert.throws(() => readSettings({ METRICS_TOKEN: 'two words' }), /METRICS_TOKEN must be a secret/)
    assert.throws(() => readSettings({ MAIL_OPERATOR: 'ops' }), /MAIL_OPERATOR must be an e-mail address/)
  })

  it('name a service that suggests keywords by its address', () => {
    const of = (KEYWORDS_URL: string) => readSettings({ KEYWORDS_URL }).keywordsUrl
    assert.equal(of(''), undefined)
    assert.equal(of('http://127.0.0.1:9000/v1/'), 'http://127.0.0.1:9000/v1')
    for (const wrong of [
      'keywords.example.com',
      'ftp://keywords.example.com',
      'https://anna:secret@keywords.example.com',
      'https://k.example.com/?a=1',
    ])
      assert.throws(() => of(wrong), /KEYWORDS_URL must be an address like https:\/\/keywords\.example\.com/, wrong)
  })

  it('name networks in which webhooks may be', () => {
    for (const wrong of ['10.0.0.1', '10.0.0.0/33', 'fd00::/129', 'example.com/8', '10.0.0.0/8,', '/8', '10.0.0.0/8/8'])
      assert.throws(() => readSettings({ WEBHOOK_ALLOW: wrong }), /WEBHOOK_ALLOW must be networks, separated by commas/, wrong)
  })

  it('take sizes with a unit, and say what units mean when they refuse one', () => {
    const size = (text: string) => readSettings({ MAX_UPLOAD_BYTES: text }).service.maxUploadBytes
    assert.deepEqual(['1', '5GB', '5GiB', '500 mb', '1.5MiB', '20KB', '1kib', '7B'].map(size), [
      1,
      5e9,
      5 * 1024 ** 3,
      5e8,
      1.5 * 1024 ** 2,
      20_000,
      1024,
      7,
    ])
    for (const wrong of ['0', '200GB', '-1', '5 G', 'GB', '1e9', '0x10', '5TB', '0.1B'])
      assert.throws(() => size(wrong), /MAX_UPLOAD_BYTES must be a size from 1 to 107374182400 bytes, like .*500MB.*5GiB/, wrong)
  })

  it('are refused all at once when they make no sense', () => {
    const wrong = { PORT: '70000', HOST: 'a b', BASE_URL: 'https://x/api', BRAND: 'svc', VENDOR: 'a/b', MAX_UPLOAD_BYTES: '600000000000' }
    assert.throws(
      () => readSettings(wrong),
      (error: Error) => Object.keys(wrong).every((name) => error.message.includes(`  ${name} must be `)),
    )
  })

  it('take a provider of stock by its address, with key and hosts where it has them', () => {
    const providerOf = (given: Record<string, string>) => readSettings(given).stockProvider
    assert.deepEqual(providerOf({ STOCK_PROVIDER_URL: 'https://stock.example.com' }), {
      baseUrl: 'https://stock.example.com',
      key: undefined,
      hosts: [],
    })
    const full = {
      STOCK_PROVIDER_URL: 'http://10.0.0.7:8080/api/v1/',
      STOCK_PROVIDER_KEY: 'secret',
      STOCK_PROVIDER_HOSTS: 'CDN.example.com, files.example.com:8443,files.example.com:443',
    }
    assert.deepEqual(providerOf(full), {
      baseUrl: 'http://10.0.0.7:8080/api/v1',
      key: 'secret',
      hosts: ['cdn.example.com', 'files.example.com:8443', 'files.example.com'],
    })
  })

  it.each([
    { STOCK_PROVIDER_URL: 'ftp://stock.example.com' },
    { STOCK_PROVIDER_URL: 'https://anna:5ecret@stock.example.com' },
    { STOCK_PROVIDER_URL: 'https://stock.example.com/?key=1' },
    { STOCK_PROVIDER_URL: 'stock.example.com' },
    { STOCK_PROVIDER_URL: 'https://stock.example.com', STOCK_PROVIDER_HOSTS: 'https://cdn.example.com' },
    { STOCK_PROVIDER_URL: 'https://stock.example.com', STOCK_PROVIDER_HOSTS: 'a.example.com,,b.example.com' },
    { STOCK_PROVIDER_URL: 'https://stock.example.com', STOCK_PROVIDER_HOSTS: '*.example.com' },
    { STOCK_PROVIDER_URL: 'https://stock.example.com', STOCK_PROVIDER_KEY: 'two\nlines' },
    { STOCK_PROVIDER_KEY: 'a-key-and-nobody-to-send-it-to' },
  ])('take no other provider of stock: %j', (given) => {
    assert.throws(
      () => readSettings(given),
      ({ message }: Error) => /STOCK_PROVIDER_(URL|KEY|HOSTS) must be /.test(message) && !/5ecret|two|a-key/.test(message),
    )
  })

  it('take mail servers only as what they send mail with, and never tell the password', () => {
    for (const MAIL_URL of [
      'smtp://127.0.0.1:25',
      'smtp://mail.example.com',
      'smtp://a%40b:c@mail.example.com:587/',
      'smtps://[::1]:465',
    ]) {
      assert.equal(readSettings({ MAIL_URL }).mailUrl, MAIL_URL)
    }
    for (const MAIL_URL of [
      'mail.example.com',
      'http://a:secret@mail.example.com',
      'smtp://',
      'smtp:a:secret@x',
      'smtp://a:secret@x/y',
      'smtp://x?secret',
      'smtp://a:50%secret@x',
    ]) {
      assert.throws(
        () => readSettings({ MAIL_URL }),
        ({ message }: Error) => /MAIL_URL must be the address of a mail server/.test(message) && !message.includes('secret'),
        MAIL_URL,
      )
    }
  })

  it('put links and player below the address of the server', () => {
    const { cdnUrl, playerUrl } = settingsAt('http://x:1', readSettings({}).service)
    assert.deepEqual([cdnUrl, playerUrl], ['http://x:1/-/links', 'http://x:1/-/player'])
  })

  it('give links and player host names of their own', () => {
    const given = { CDN_URL: 'https://cdn.example.com', PLAYER_URL: 'https://player.example.com' }
    const { cdnUrl, playerUrl } = settingsAt('http://x:1', readSettings(given).service)
    assert.deepEqual([cdnUrl, playerUrl], [given.CDN_URL, given.PLAYER_URL])
    assert.equal(settingsAt('http://x:1', readSettings({ CDN_URL: given.CDN_URL }).service).playerUrl, 'http://x:1/-/player')
    for (const wrong of ['cdn.example.com', 'https://cdn.example.com/', 'https://x/path', 'ftp://x'])
      assert.throws(() => readSettings({ CDN_URL: wrong, PLAYER_URL: wrong }), /CDN_URL must be .*\n.*PLAYER_URL must be /, wrong)
  })

  it('name former addresses of links', () => {
    assert.deepEqual(readSettings({}).formerCdnUrls, [])
    const [own, below] = ['https://cdn.example.com', 'http://media.example.com:14001/-/links']
    assert.deepEqual(readSettings({ FORMER_CDN_URLS: `${own}, ${below}` }).formerCdnUrls, [own, below])
    for (const wrong of [
      'cdn.example.com',
      `${own}/`,
      `${own}/streams`,
      `${own} ${below}`,
      `${own},`,
      'https://x:99999',
      'javascript:alert(1)',
    ])
      assert.throws(() => readSettings({ FORMER_CDN_URLS: wrong }), /FORMER_CDN_URLS must be former addresses of links/, wrong)
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
