import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, test } from 'vitest'
import { CONSOLE_PATH, fileOf, isOfConsole } from '../../../../infra/clients/console/paths.ts'

const source = readFileSync(new URL('../../../../infra/aws/stack/console-request.js', import.meta.url), 'utf8')

/** Runs the function as CloudFront does. */
const handle = (uri: string) => runInNewContext(`${source}; handler(event)`, { event: { request: { uri } } })

describe('the function on requests to the console', () => {
  test.each(['/console/', '/console/folder/5', '/console/search', '/console/index.html', '/console/assets', '/console/../secret'])(
    '%s is the page',
    (path) => {
      assert.equal(handle(path).uri, '/index.html')
      assert.equal(fileOf(path), undefined)
    },
  )

  test.each(['/console/assets/index-Cx1.js', '/console/assets/nothing'])('%s is a file, as on one machine', (path) => {
    assert.equal(handle(path).uri, `/${fileOf(path)}`)
  })

  test('without the slash at its end the address leads to the one with it', () => {
    const { statusCode, headers } = handle(CONSOLE_PATH)
    assert.deepEqual([statusCode, headers.location.value], [302, '/console/'])
  })

  test('other paths are not the console', () => {
    assert.deepEqual(['/console', '/console/x', '/consoles', '/folder/console'].map(isOfConsole), [true, true, false, false])
  })
})
