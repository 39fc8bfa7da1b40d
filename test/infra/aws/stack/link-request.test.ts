import assert from 'node:assert/strict'
import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, test } from 'vitest'
import { linkRequestCode, SIZE_STEPS } from '../../../../infra/aws/stack/link-request-code.ts'
import { type EdgeFunction, type EdgeVerdict, openEdgeFunction } from '../../../../infra/local/delivery/links/edge-function.ts'
import { AI_HEADER, STORED_AI_HEADER } from '../../../../shared/backends/objects/port.ts'
import {
  type EdgeEvent,
  type EdgeRequest,
  type EdgeResponse,
  handleLinkEvent,
  type Origins,
} from '../../../../shared/http/protocol/link-request.ts'

const code = linkRequestCode(false)

/** Runs the text that the template ships, in a context of its own. */
function deployed(text: string): EdgeFunction {
  let origins: Origins = { selectRequestOriginById: () => undefined }
  const cf: Origins = { selectRequestOriginById: (id) => origins.selectRequestOriginById(id) }
  const script = new Script(`${text.replace(/^import cf from 'cloudfront'$/m, '')}\nhandler`, { filename: 'link-request.js' })
  const handler = script.runInContext(createContext({ cf })) as (event: EdgeEvent) => EdgeRequest | EdgeResponse
  return (event, given) => {
    origins = given
    // Its objects have the prototypes of its own context.
    return structuredClone(handler(event))
  }
}

const ID = '0123456789abcdef0123456789abcdef'
const LINK = `/demo/${ID}`

function passed(verdict: EdgeVerdict) {
  assert.ok('path' in verdict, JSON.stringify(verdict))
  return verdict
}

function refused(verdict: EdgeVerdict, status: number) {
  assert.ok('answer' in verdict, JSON.stringify(verdict))
  const { headers, body } = verdict.answer
  assert.equal(verdict.answer.status, status)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cache-control'], 'no-store')
  const error = JSON.parse(body)
  assert.equal(error.request_id, 'the-id')
  return { headers, error }
}

describe.each([
  ['as it is deployed', openEdgeFunction(deployed(code)), openEdgeFunction(deployed(linkRequestCode(true)))],
  ['on one machine', openEdgeFunction(), openEdgeFunction((event, origins) => handleLinkEvent(event, origins, SIZE_STEPS))],
])('the edge function %s', (_, run, stepped) => {
  const handle = (query: string, path = `${LINK}.jpg`, method = 'GET', accept?: string) =>
    run({ method, path, query, requestId: 'the-id', accept })

  describe('paths of links', () => {
    test.each([`${LINK}.jpg`, LINK, `${LINK}.exe`, `${LINK}.tar.gz`, `${LINK}.jp%20g`, `/demo/${ID.toUpperCase()}.JPG`])(
      '%s is one',
      (path) => {
        assert.deepEqual(handle('', path), { origin: 'copies', path: LINK, query: '', ignored: '' })
      },
    )

    test('aliases of one character, and of 63', () => {
      for (const alias of ['a', '7', 'a-b', `a${'-'.repeat(61)}b`]) {
        assert.equal(passed(handle('', `/${alias}/${ID}`)).path, `/${alias}/${ID}`)
      }
    })

    test.each([
      ...['/', '', '/demo/', `/demo//${ID}`, `//demo/${ID}`, `/demo/${ID}/`, `/demo/${ID}.`, `/demo/${ID}..jpg`, `/demo/${ID}.jpg/x`],
      ...[`/demo/${ID}x`, `/demo/${ID.slice(1)}`, `/demo/${ID}0.jpg`, `/demo%2f${ID}.jpg`, `/demo/%2e%2e/${ID}`, `/demo/../_/links/${ID}`],
      ...[`/_/links/demo/${ID}.json`, `/_/${ID}`, `/Demo/${ID}`, `/-demo/${ID}`, `/demo-/${ID}`, `/${'a'.repeat(64)}/${ID}`],
      ...[`/demo/${ID}.jpg%2F..%2Fother`, `/demo/${ID}.jpg%5c..`, `/demo/${ID}.jpg%00`, `/demo/${ID}.${'x'.repeat(41)}`],
      ...[`/demo/${ID}.jpg\n`, `/demo/${ID}.jpg;v=1`, '/streams'],
    ])('%j is no link', (path) => {
      assert.equal(refused(handle('', path), 404).error.code, 'link_not_found')
    })
  })

  describe('files of streams', () => {
    const longest = 'x'.repeat(128)
    test.each(['index.m3u8', 'ladder_720p.m3u8', '720p_00001.m4s', 'a', '-', longest])('%s', (name) => {
      const path = `/streams/${ID}/${name}`
      assert.deepEqual(handle('_HLS_msn=1&width=nonsense', path), { origin: 'copies', path, query: '', ignored: '' })
    })

    test.each([
      ...['/streams/', '/streams/1/index.m3u8', `/streams/${ID}`, `/streams/${ID}/`, `/streams/${ID}/${longest}x`],
      ...[`/streams/${ID.toUpperCase()}/index.m3u8`, `/streams/${ID}0/index.m3u8`, `/streams/${ID}/..`, `/streams/${ID}/.hidden`],
      ...[`/streams/${ID}//index.m3u8`, `/streams/${ID}/../${ID}/index.m3u8`, `/streams/${ID}/index%2em3u8`, `/streams/${ID}/index.m3u8\n`],
    ])('%j is none', (path) => {
      assert.equal(refused(handle('', path), 404).error.code, 'stream_not_found')
    })
  })

  describe('methods', () => {
    test('HEAD is as good as GET', () => {
      assert.deepEqual(handle('width=5', LINK, 'HEAD'), handle('width=5', LINK, 'GET'))
    })

    test('OPTIONS is answered at once', () => {
      const verdict = handle('width=nonsense', LINK, 'OPTIONS')
      assert.ok('answer' in verdict)
      const { status, headers, body } = verdict.answer
      assert.deepEqual([status, headers['access-control-allow-origin'], body], [204, '*', ''])
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
    })

    test.each([
      ['POST', LINK],
      ['DELETE', LINK],
      ['PUT', `/streams/${ID}/index.m3u8`],
    ])('%s is refused', (method, path) => {
      const { headers, error } = refused(handle('', path, method), 405)
      assert.deepEqual([headers.allow, error.code], ['GET, HEAD, OPTIONS', 'method_not_allowed'])
    })
  })

  describe('transformations', () => {
    test.each([
      ['', ''],
      ['width=1', 'width=1'],
      ['height=4096&width=4096', 'width=4096&height=4096'],
      ['w%69dth=%33%32', 'width=32'],
      ['width=10&width=nonsense', 'width=10'],
      ['width=10&w%69dth=20', 'width=10'],
      ['width=&width=20', ''],
      ['width', ''],
      ['output_format=', ''],
      ['grayscale', 'grayscale=1'],
      ['grayscale=TRUE', 'grayscale=1'],
      ['grayscale=False', ''],
      ['grayscale=0&grayscale=1', ''],
      ['output_format=JPEG', 'output_format=jpeg'],
      ['output_format=WebP&grayscale=true&height=2&width=1', 'width=1&height=2&grayscale=1&output_format=webp'],
      ['utm_source=mail&width=10&fbclid=1', 'width=10'],
      ['Width=10&WIDTH=20', ''],
      ['__proto__=1&constructor=2&toString=3&hasOwnProperty=4', ''],
      ['%zz=1&%=2&&=&width=9&', 'width=9'],
    ])('%j is %j', (query, canonical) => {
      assert.deepEqual(handle(query), { origin: canonical === '' ? 'copies' : 'renderer', path: LINK, query: canonical, ignored: '' })
    })

    test.each([
      ...['0', '-1', '+1', '%2B1', '4097', '1e2', 'NaN', 'Infinity', '10.5', '0x10', '007', ' 1', '1+', '%31%20', 'auto'],
      ...['1000000000', '%', '%zz', '%00', '１０', '%EF%BC%91', '1px', '1\n', '[]', 'null', 'true'],
    ])('a width of %j is wrong', (value) => {
      const { error } = refused(handle(`width=${value}`), 400)
      assert.deepEqual(error, {
        message: 'width must be a whole number from 1 to 4096.',
        code: 'invalid_input',
        request_id: 'the-id',
        errors: [{ path: 'width', message: 'must be a whole number from 1 to 4096' }],
      })
      refused(handle(`height=${value}`), 400)
    })

    test.each([
      ...['yes', '2', '01', '%', '1 ', 'toString'].map((value) => ['grayscale', value] as const),
      ...['jpg', 'gif', 'webp,jpeg', 'webp ', 'image/webp', '../png'].map((value) => ['output_format', value] as const),
    ])('a %s of %j is wrong', (name, value) => {
      assert.equal(refused(handle(`${name}=${value}`), 400).error.errors[0].path, name)
    })

    test('all that is wrong is told at once, and none of what was sent', () => {
      const { error } = refused(handle('output_format=%3Cscript%3E&width=%3Cscript%3E&grayscale=2&height=0'), 400)
      assert.deepEqual(
        error.errors.map(({ path }: { path: string }) => path),
        ['width', 'height', 'grayscale', 'output_format'],
      )
      assert.equal(error.message, 'Several things are wrong with the input: errors lists them.')
      assert.ok(!JSON.stringify(error).includes('script'))
    })
  })

  describe('steps of sizes', () => {
    const queryOf = (query: string) => passed(stepped({ method: 'GET', path: LINK, query, requestId: 'the-id' })).query

    test.each([
      [1, 64],
      [64, 64],
      [65, 160],
      [4_096, 4_096],
    ])('a size of %i is made as %i', (asked, made) => {
      assert.equal(queryOf(`width=${asked}&height=${asked}`), `width=${made}&height=${made}`)
    })

    test('any sizes make few shapes of a link', () => {
      const shapes = new Set(Array.from({ length: 4_096 }, (_, n) => queryOf(`width=${n + 1}`)))
      assert.equal(shapes.size, 8)
    })

    test('nothing else changes: no size is none, and a wrong one is refused', () => {
      assert.equal(queryOf('width=&output_format=webp'), 'output_format=webp')
      refused(stepped({ method: 'GET', path: LINK, query: 'width=4097', requestId: 'the-id' }), 400)
    })
  })

  describe('parameters that are ignored', () => {
    test('are named, and the rest is as without them', () => {
      assert.deepEqual(handle('dpr=9&width=10&hdr=yes&fit=Cover'), {
        ...{ origin: 'renderer', path: LINK, query: 'width=10' },
        ignored: 'fit, dpr, hdr',
      })
      assert.deepEqual(handle('crop=1'), { origin: 'copies', path: LINK, query: '', ignored: 'crop' })
      assert.equal(passed(handle('fit=cover&utm_source=x&dpr=2')).ignored, '')
    })

    test('are named in refusals, too, so that scripts can read them', () => {
      const { headers } = refused(handle('dpr=9&width=x'), 400)
      assert.deepEqual([headers['link-ignored'], headers['access-control-expose-headers']], ['dpr', 'Link-Ignored'])
      assert.equal(refused(handle('width=x'), 400).headers['link-ignored'], undefined)
    })
  })

  describe('a format as the client accepts it', () => {
    const queryFor = (accept: string | undefined, query = 'output_format=auto') => passed(handle(query, LINK, 'GET', accept)).query
    test.each([
      [undefined, 'output_format=auto'],
      ['*/*', 'output_format=auto'],
      ['image/avif,image/webp,image/apng,*/*;q=0.8', 'output_format=auto&accept=avif,webp'],
      ['image/avif;q=0, image/webp', 'output_format=auto&accept=webp'],
    ])('%j is %j', (accept, query) => assert.equal(queryFor(accept), query))

    test('a preset may ask for it', () => {
      assert.equal(queryFor('image/webp', 'preset=card'), 'preset=card&accept=webp')
      assert.equal(queryFor('image/webp', 'width=5'), 'width=5')
    })

    test('a header of 8 KB is read', () => {
      for (const part of [',', '"', ';', 'image/webp ', 'image/webp;q=0,', '\\"']) {
        assert.match(queryFor(`image/avif,${part.repeat(8_192 / part.length)}`), /^output_format=auto/)
      }
    })

    test('refusals vary by what is accepted; others do not', () => {
      for (const [verdict, status] of [
        [handle('output_format=auto&width=x'), 400],
        [handle('output_format=auto', '/nothing'), 404],
        [handle('output_format=auto&preset=No'), 404],
        [handle('output_format=AUTO', LINK, 'POST'), 405],
      ] as const)
        assert.equal(refused(verdict, status).headers.vary, 'Accept')
      for (const query of ['width=x', 'output_format=webp&width=x', 'output_format=autos']) {
        assert.equal(refused(handle(query), 400).headers.vary, undefined)
      }
    })
  })

  describe('presets', () => {
    test.each(['preset=card', 'preset=card&dpr=2&output_format=jpeg'])('%s is rendered', (query) => {
      assert.equal(passed(handle(query)).query, query)
    })

    test('a name that none can have is told at once', () => {
      for (const name of ['Card', 'a b', 'x'.repeat(41), '%2e%2e']) {
        assert.equal(refused(handle(`preset=${name}&width=nonsense`), 404).error.code, 'preset_not_found')
      }
    })
  })

  describe('addresses of IIIF', () => {
    const iiif = (rest: string, method = 'GET') => handle('width=nonsense&fit=x', `/iiif/3${rest}`, method)
    test.each([
      'info.json',
      'manifest.json',
      'full/max/0/default.jpg',
      'square/!100,100/!90/gray.png',
      'pct:0.5,1,50,20.25/pct:50/270/bitonal.webp',
    ])('%s is handed to the renderer', (rest) => {
      const path = `/iiif/localhost${LINK}/${rest}`
      for (const method of ['GET', 'HEAD']) {
        assert.deepEqual(iiif(`${LINK}/${rest}`, method), { origin: 'renderer', path, query: '', ignored: '' })
        assert.deepEqual(iiif(`/demo/${ID.toUpperCase()}.tif/${rest}`, method), { origin: 'renderer', path, query: '', ignored: '' })
      }
    })

    test('what is encoded is decoded', () => {
      assert.equal(
        passed(iiif(`${LINK}/pct%3A0%2C0%2C50%2C50/%21100%2c100/0/default.jpg`)).path.split(`${LINK}/`)[1],
        'pct:0,0,50,50/!100,100/0/default.jpg',
      )
    })

    test.each([LINK, `/demo/${ID.toUpperCase()}.tiff`])('%s alone leads to info.json, below any address', (path) => {
      for (const method of ['GET', 'HEAD']) {
        const verdict = iiif(path, method)
        assert.ok('answer' in verdict)
        const { status, headers } = verdict.answer
        assert.deepEqual([status, headers['access-control-allow-origin']], [303, '*'])
        assert.equal(
          new URL(headers.location!, `https://links.example/x/iiif/3${path}`).href,
          `https://links.example/x/iiif/3${LINK}/info.json`,
        )
      }
    })

    test.each([
      ...['', 'Info.json', 'info.json/', 'full', 'full/max/0', 'full/max/0/default', 'full/max/0/default.jpg/', '/full/max/0/default.jpg'],
      ...[
        'full/^max/0/default.jpg',
        'full/%5Emax/0/default.jpg',
        'full/max/-90/default.jpg',
        'full/max/0/default.jpg%00',
        'full/max/0/%2e%2e.jpg',
      ],
      ...[
        'full%2Fmax%2F0%2Fdefault.jpg',
        'full/max/0/default.jpg%zz',
        `${'1'.repeat(81)}/max/0/default.jpg`,
        'full/max/0/a b.jpg',
        '../info.json',
      ],
      'full/max/0/default.jpg+',
    ])('%j is wrong', (rest) => {
      const { error } = refused(iiif(`${LINK}/${rest}`), 400)
      assert.deepEqual(
        [error.code, error.message],
        ['invalid_input', 'The address must end in {region}/{size}/{rotation}/{quality}.{format}.'],
      )
    })

    test.each([
      '/',
      '/demo',
      '/demo/',
      '/demo/x/info.json',
      `/Demo/${ID}/info.json`,
      `/demo/${ID}0/info.json`,
      `//${ID}/info.json`,
      `/demo/${ID}/info.json\n`,
    ])('%j is no link', (path) => assert.equal(refused(iiif(path), 404).error.code, 'link_not_found'))

    test('an alias of this name has its links, but no IIIF', () => {
      assert.deepEqual(handle('width=5', `/iiif/${ID}.jpg`), { origin: 'renderer', path: `/iiif/${ID}`, query: 'width=5', ignored: '' })
      for (const rest of ['', '/info.json', '/full/max/0/default.jpg']) refused(iiif(`/iiif/${ID}${rest}`), 404)
      refused(handle('', `/iiif/localhost${LINK}/info.json`), 404)
    })

    test('OPTIONS is answered, and nothing is written', () => {
      const verdict = iiif(`${LINK}/info.json`, 'OPTIONS')
      assert.ok('answer' in verdict)
      assert.equal(verdict.answer.status, 204)
      refused(iiif(`${LINK}/info.json`, 'PUT'), 405)
    })
  })

  describe('for any request', () => {
    const known = fc.oneof(
      fc.tuple(fc.constantFrom('width', 'height'), fc.oneof(fc.integer({ min: 1, max: 4096 }).map(String), fc.constant(''))),
      fc.tuple(fc.constant('grayscale'), fc.constantFrom('', '1', 'true', 'TRUE', '0', 'false')),
      fc.tuple(fc.constant('output_format'), fc.constantFrom('', 'webp', 'JPEG', 'Avif', 'png')),
    )
    const distinct = fc.uniqueArray(known, { selector: ([name]) => name })
    const queryOf = (parameters: readonly (readonly [string, string])[]) =>
      parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
    test('the one form of a request is its own one form', () => {
      fc.assert(
        fc.property(distinct, (parameters) => {
          const once = passed(handle(queryOf(parameters)))
          assert.deepEqual(handle(once.query, once.path), once)
        }),
      )
    })

    test('it never throws, and asks origins for nothing but links, transformations and files of streams', () => {
      const anything = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.webUrl().map((url) => new URL(url).pathname),
        fc.constant(LINK),
        fc.string({ unit: 'binary' }).map((name) => `/streams/${ID}/${name}`),
        fc.string({ unit: 'binary' }).map((name) => `/iiif/3${LINK}/${name}`),
      )
      const query = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.webQueryParameters(),
        fc.string().map((text) => `width=${text}`),
      )
      fc.assert(
        fc.property(anything, query, fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', ''), (path, query, method) => {
          const verdict = handle(query, path, method)
          if ('answer' in verdict) assert.ok([204, 400, 404, 405].includes(verdict.answer.status))
          else {
            assert.match(verdict.path, /^\/[a-z0-9-]{1,63}\/[0-9a-f]{32}$|^\/streams\/[0-9a-f]{32}\/[\w-][\w.-]{0,127}$/)
            assert.match(verdict.query, /^(?:(?:width|height|grayscale|output_format)=[a-z0-9]+(?:&(?!$)|$))*$/)
            assert.equal(verdict.origin, verdict.query === '' ? 'copies' : 'renderer')
          }
        }),
        { numRuns: 1_000 },
      )
    })
  })
})

describe('the events of CloudFront', () => {
  const handler = deployed(code)
  const origins: Origins = { selectRequestOriginById: () => undefined }
  const requestOf = (headers: EdgeRequest['headers'], querystring: EdgeRequest['querystring'] = {}, uri = LINK): EdgeRequest => ({
    ...{ method: 'GET', uri, querystring, headers },
  })
  const viewerRequest = (request: EdgeRequest) =>
    handler({ context: { eventType: 'viewer-request', requestId: 'the-id' }, request }, origins) as EdgeRequest
  const viewerResponse = (request: EdgeRequest, headers: EdgeResponse['headers'] = {}) =>
    handler({ context: { eventType: 'viewer-response', requestId: 'the-id' }, request, response: { statusCode: 200, headers } }, origins)
      .headers
  const sent = () => ({ fit: { value: 'x' }, dpr: { value: '2', multiValue: [{ value: '2' }, { value: '9' }] }, hdr: { value: 'on' } })

  test('caches have one key, whatever a client accepts and says', () => {
    const accepts = [undefined, 'image/webp', '*/*', 'x'.repeat(8_192)]
    const keys = accepts.map((accept) => {
      const headers = { 'x-link-ignored': { value: 'fit' }, ...(accept === undefined ? {} : { accept: { value: accept } }) }
      return JSON.stringify(viewerRequest(requestOf(headers)))
    })
    assert.deepEqual([...new Set(keys)], [JSON.stringify(requestOf({ accept: { value: '*/*' } }, ''))])
  })

  test('several lines of a header are one', () => {
    const lines = [{ value: 'image/webp' }, { value: 'image/avif;q=0.5' }]
    const headers = { accept: { value: 'image/webp', multiValue: lines } }
    assert.equal(viewerRequest(requestOf(headers, { output_format: { value: 'auto' } })).querystring, 'output_format=auto&accept=avif,webp')
  })

  test('the answer names what was ignored, whether CloudFront shows the request before or after the function', () => {
    const original = () => requestOf({}, sent())
    const after = viewerRequest(original())
    assert.deepEqual(after.headers['x-link-ignored'], { value: 'fit, hdr' })
    for (const shown of [original(), after, requestOf(after.headers, {})]) {
      assert.deepEqual(viewerResponse(shown, { etag: { value: '"1"' } }), { etag: { value: '"1"' }, 'link-ignored': { value: 'fit, hdr' } })
    }
  })

  test('what a client says of it itself is not believed', () => {
    assert.equal(viewerRequest(requestOf({ 'x-link-ignored': { value: 'fit' } })).headers['x-link-ignored'], undefined)
    const hostile = requestOf({ 'x-link-ignored': { value: 'fit\r\nset-cookie: a=b' } }, sent())
    assert.deepEqual(viewerResponse(hostile), { 'link-ignored': { value: 'fit, hdr' } })
  })

  test('how a picture came about, which S3 says of a copy, is told under its own name', () => {
    const stored = { etag: { value: '"1"' }, [STORED_AI_HEADER]: { value: 'generated' } }
    assert.deepEqual(viewerResponse(requestOf({}), stored), { etag: { value: '"1"' }, [AI_HEADER]: { value: 'generated' } })
    const rendered = { [AI_HEADER]: { value: 'modified' } }
    assert.deepEqual(viewerResponse(requestOf({}), structuredClone(rendered)), rendered)
  })

  test('answers of streams and of IIIF name nothing', () => {
    for (const uri of [`/streams/${ID}/index.m3u8`, `/iiif/3${LINK}/info.json`]) {
      assert.deepEqual(viewerResponse(requestOf({}, sent(), uri)), {})
      assert.deepEqual(viewerResponse(viewerRequest(requestOf({ host: { value: 'Links.example' } }, sent(), uri))), {})
    }
  })

  test('the renderer learns the host that the client asked', () => {
    const uri = `/iiif/3${LINK}/info.json`
    assert.equal(
      viewerRequest(requestOf({ host: { value: 'Links.example:443' } }, {}, uri)).uri,
      `/iiif/links.example:443${LINK}/info.json`,
    )
    for (const headers of [{} as EdgeRequest['headers'], { host: { value: 'a/b' } }, { host: { value: '' } }]) {
      assert.equal(
        (
          handler(
            { context: { eventType: 'viewer-request', requestId: '' }, request: requestOf(headers, {}, uri) },
            origins,
          ) as EdgeResponse
        ).statusCode,
        400,
      )
    }
  })
})

describe('the file is one that CloudFront Functions take', () => {
  const file = ts.createSourceFile('link-request.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const nodes: ts.Node[] = []
  const collect = (node: ts.Node) => {
    nodes.push(node)
    node.forEachChild(collect)
  }
  collect(file)

  test('it has at most the 10,240 bytes that CloudFront takes, with and without steps', () => {
    for (const text of [code, linkRequestCode(true)]) assert.ok(Buffer.byteLength(text) <= 10_240, `${Buffer.byteLength(text)} bytes`)
  })

  test('its first line imports the only module, and there is no other', () => {
    assert.match(code, /^import cf from 'cloudfront'\n/)
    assert.equal(nodes.filter(ts.isImportDeclaration).length, 1)
    assert.equal(nodes.filter((node) => node.kind === ts.SyntaxKind.ImportKeyword || node.kind === ts.SyntaxKind.ExportKeyword).length, 0)
  })

  // Of what came after ECMAScript 5.1 the runtime 2.0 documents these: const, let, arrow functions and template literals.
  test('it has no syntax but that of the runtime', () => {
    const allowed = new Set(
      `SourceFile EndOfFileToken Identifier Block ImportDeclaration ImportClause VariableStatement VariableDeclarationList VariableDeclaration
      FunctionDeclaration ArrowFunction EqualsGreaterThanToken Parameter IfStatement ReturnStatement ExpressionStatement DeleteExpression
      TryStatement CatchClause CallExpression PropertyAccessExpression ElementAccessExpression BinaryExpression
      PrefixUnaryExpression ConditionalExpression ObjectLiteralExpression PropertyAssignment ArrayLiteralExpression StringLiteral
      NumericLiteral RegularExpressionLiteral NullKeyword TrueKeyword FalseKeyword VoidExpression ParenthesizedExpression TemplateExpression TemplateHead TemplateMiddle TemplateTail TemplateSpan
      EqualsToken EqualsEqualsEqualsToken ExclamationEqualsEqualsToken AmpersandAmpersandToken BarBarToken ColonToken QuestionToken
      PlusToken AsteriskToken SlashToken PercentToken TypeOfExpression GreaterThanToken GreaterThanEqualsToken LessThanEqualsToken`
        .split(/\s+/)
        .map((name) => ts.SyntaxKind[name as keyof typeof ts.SyntaxKind]),
    )
    const others = nodes.filter(({ kind }) => !allowed.has(kind)).map((node) => `${ts.SyntaxKind[node.kind]}: ${node.getText(file)}`)
    assert.deepEqual(others, [])
    assert.ok(
      nodes
        .filter(ts.isParameter)
        .every(({ initializer, dotDotDotToken, name }) => !initializer && !dotDotDotToken && ts.isIdentifier(name)),
    )
    assert.ok(nodes.filter(ts.isCatchClause).every(({ variableDeclaration }) => variableDeclaration))
    const flags = nodes.filter(ts.isRegularExpressionLiteral).map(({ text }) => text.slice(text.lastIndexOf('/') + 1))
    assert.ok(flags.every((each) => /^[gim]*$/.test(each)))
    assert.doesNotMatch(code, /\(\?<|\\[pP]\{/, 'regular expressions of ECMAScript 5.1')
  })

  test('it uses nothing but its own names, and globals and methods of the runtime', () => {
    const declared = nodes.filter((node) => ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isParameter(node))
    const names = new Set(declared.map(({ name }) => name?.getText(file)))
    const calls = nodes.filter(ts.isCallExpression).map(({ expression }) => expression)
    const globals = calls.filter(ts.isIdentifier).map(({ text }) => text)
    assert.deepEqual([...new Set(globals.filter((name) => !names.has(name)))].toSorted(), ['Number', 'decodeURIComponent'])
    const methods = calls.filter(ts.isPropertyAccessExpression).map(({ name }) => name.text)
    const known =
      'create every exec filter forEach indexOf join keys map max meaningOf push replace round selectRequestOriginById slice some split ' +
      'stringify test toLowerCase'
    assert.deepEqual([...new Set(methods)].toSorted(), known.split(' '))
  })
})
