import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openLibrary } from '../../../../infra/admin/library/library.ts'
import { smokeTest, type Target } from '../../../../infra/aws/smoke/smoke-test.ts'
import type { OpenLibrary } from '../../../../infra/homes/open-library.ts'
import type { Item } from '../../../../shared/backends/table/port.ts'
import { type Service, startService } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'
import { withVideos } from '../../../support/videos.ts'
import { runJson } from '../../admin/run-command.ts'

describe('the smoke test', () => {
  let service: Service
  let library: OpenLibrary
  let target: Target
  beforeAll(async () => {
    service = await startService()
    library = await openLibrary({ stack: undefined, environment: { DATA_DIR: service.directory } })
    target = { baseUrl: service.baseUrl, brand: 'SVC', vendor: 'vendor', playerUrl: service.demo.player_url!, library }
  })
  afterAll(async () => {
    library.close()
    await service.stop()
  })

  const run = async (changed: Partial<Target> = {}, interrupted = new AbortController().signal) => {
    const lines: string[] = []
    const isWell = await smokeTest({ ...target, ...changed }, (line) => lines.push(line), interrupted)
    return { isWell, lines }
  }
  /**
   * What stays in the table for good, but for when the server last did what it does by the clock, and the last number of a company's events: the
   * next event goes on from it. A zip stays for a day, and a prepared download for a week: jobs remove them.
   */
  const lasting = async () => {
    const items: Item[] = []
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await library.scanner.scan(cursor ? { cursor } : {})
      items.push(
        ...page.items.filter(
          ({ pk, ttl }) => ttl === undefined && !/^((SCHEDULE|ZIPS?|EVENTS)#|JOB#expire-(zip|download)\.|(INVALIDATIONS|FACTS)$)/.test(pk),
        ),
      )
      cursor = page.cursor
    }
    return items.map(({ pk, sk }) => `${pk} ${sk}`).sort()
  }
  /** The same once all jobs but those of companies' trash have ended, told edges of the link and the stream that ended, and removed what is known of the video. */
  const lastingAtEnd = () =>
    until(async () => {
      const items = await lasting()
      return !items.some((item) => /^(JOB#(?!expire-trash\.)|LINK#)/.test(item) || item.endsWith(' VIDEO')) && items
    })
  const objects = async () =>
    (await (await library.openMedia()).list('')).objects.map(({ key }) => key).filter((key) => !key.startsWith('zips/'))
  const failures = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('ok '))

  test('finds nothing wrong with a service that works, and leaves nothing that would last', withVideos, async () => {
    const before = [await lastingAtEnd(), await objects()]
    const { isWell, lines } = await run()
    assert.deepEqual(failures(lines), [])
    assert.equal(isWell, true)
    assert.equal(lines.length, 30)
    assert.deepEqual([await lastingAtEnd(), await objects()], before)
    assert.deepEqual(await runJson(service.directory!, ['check']), { clean: true, problems: [] })
  })

  test('interrupted in the middle, cleans up', async () => {
    const before = [await lastingAtEnd(), await objects()]
    const interrupted = new AbortController()
    const lines: string[] = []
    const say = (line: string) => {
      lines.push(line)
      if (line.includes('uploaded')) interrupted.abort(new Error('interrupted'))
    }
    assert.equal(await smokeTest(target, say, interrupted.signal), false)
    assert.match(lines.at(-1)!, /^FAILED {2}it is imported: .*interrupted/)
    assert.deepEqual([await lastingAtEnd(), await objects()], before)
  })

  test('says what had to stay', withVideos, async () => {
    const refusing = () => Promise.reject(new Error('no more today'))
    const table = new Proxy(library.table, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        return name === 'delete' ? refusing : typeof method === 'function' ? method.bind(target) : method
      },
    })
    const [alias, company, ...others] = failures((await run({ library: { ...library, table } })).lines)
    assert.match(alias!, /^STAYS {3}alias smoke-test-\w+ of company \d+: no more today$/)
    assert.match(company!, /^STAYS {3}company \d+ \(smoke-test-\w+\): no more today$/)
    assert.deepEqual(others, [])
  })
})
