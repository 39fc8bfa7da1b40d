import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, test } from 'vitest'
import { linkRequestCode } from '../../../../infra/aws/stack/link-request-code.ts'
import { type EdgeVerdict, openEdgeFunction } from '../../../../infra/local/delivery/links/edge-function.ts'

const source = readFileSync(new URL('../../../../infra/aws/stack/link-request.js', import.meta.url), 'utf8')
const run = openEdgeFunction()
const ID = '0123456789abcdef0123456789abcdef'
const LINK = `/demo/${ID}`

const handle = (query: string, path = `${LINK}.jpg`, method = 'GET') => run({ method, path, query, requestId: 'the-id' })

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

describe('paths of links', () => {
  test.each([`${LINK}.jpg`, LINK, `${LINK}.exe`, `${LINK}.tar.gz`, `${LINK}.jp%20g`, `/demo/${ID.toUpperCase()}.JPG`])(
    '%s is one',
    (path) => {
      assert.deepEqual(handle('', path), { origin: 'copies', path: LINK, query: '' })
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
    assert.deepEqual(handle('_HLS_msn=1&width=nonsense', path), { origin: 'copies', path, query: '' })
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
    assert.deepEqual(handle(query), { origin: canonical === '' ? 'copies' : 'renderer', path: LINK, query: canonical })
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
  const stepped = openEdgeFunction(linkRequestCode(true))
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

describe('the file is one that CloudFront Functions take', () => {
  const file = ts.createSourceFile('link-request.js', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const nodes: ts.Node[] = []
  const collect = (node: ts.Node) => {
    nodes.push(node)
    node.forEachChild(collect)
  }
  collect(file)

  test('its first line imports the only module, and there is no other', () => {
    assert.match(source, /^import cf from 'cloudfront'\n/)
    assert.equal(nodes.filter(ts.isImportDeclaration).length, 1)
    assert.equal(nodes.filter((node) => node.kind === ts.SyntaxKind.ImportKeyword || node.kind === ts.SyntaxKind.ExportKeyword).length, 0)
  })

  // Of what came after ECMAScript 5.1 the runtime 2.0 documents these: const, let, arrow functions and template literals.
  test('it has no syntax but that of the runtime', () => {
    const allowed = new Set(
      `SourceFile EndOfFileToken Identifier Block ImportDeclaration ImportClause VariableStatement VariableDeclarationList VariableDeclaration
      FunctionDeclaration ArrowFunction EqualsGreaterThanToken Parameter IfStatement ReturnStatement ExpressionStatement ForInStatement
      ContinueStatement TryStatement CatchClause CallExpression PropertyAccessExpression ElementAccessExpression BinaryExpression
      PrefixUnaryExpression ConditionalExpression ObjectLiteralExpression PropertyAssignment ArrayLiteralExpression StringLiteral
      NumericLiteral RegularExpressionLiteral NullKeyword TemplateExpression TemplateHead TemplateMiddle TemplateTail TemplateSpan
      EqualsToken EqualsEqualsEqualsToken ExclamationEqualsEqualsToken AmpersandAmpersandToken BarBarToken ColonToken QuestionToken
      GreaterThanToken GreaterThanEqualsToken LessThanEqualsToken`
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
    assert.doesNotMatch(source, /\(\?<|\\[pP]\{/, 'regular expressions of ECMAScript 5.1')
  })

  test('it uses nothing but its own names, and globals and methods of the runtime', () => {
    const declared = nodes.filter((node) => ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isParameter(node))
    const names = new Set(declared.map(({ name }) => name?.getText(file)))
    const calls = nodes.filter(ts.isCallExpression).map(({ expression }) => expression)
    const globals = calls.filter(ts.isIdentifier).map(({ text }) => text)
    assert.deepEqual([...new Set(globals.filter((name) => !names.has(name)))].toSorted(), ['Number', 'decodeURIComponent'])
    const methods = calls.filter(ts.isPropertyAccessExpression).map(({ name }) => name.text)
    const known =
      'create exec filter forEach indexOf join keys push replace selectRequestOriginById some stringify test toLowerCase valueOf'
    assert.deepEqual([...new Set(methods)].toSorted(), known.split(' '))
  })
})
