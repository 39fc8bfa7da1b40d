import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type AcceptedForms, acceptedForms, linkParameters, linkQuery } from '../../shared/vocabulary/link-query.ts'

const STEPS = [64, 160, 320, 640, 1_024, 1_600, 2_560, 4_096]
const read = (query: string, accepted: AcceptedForms = '', steps?: readonly number[]) => linkQuery(linkParameters(query), accepted, steps)
const canonical = (query: string, accepted?: AcceptedForms, steps?: readonly number[]) => {
  const { query: found, problems, isNoPreset } = read(query, accepted, steps)
  assert.deepEqual([problems, isNoPreset], [[], false])
  return found
}

describe('the canonical query', () => {
  test.each([
    // Shapes and pieces.
    ['crop=0.1000,0,0.5,1.0', 'crop=0.1,0,0.5,1'],
    ['crop=0,0,1,1', ''],
    ['crop=0.0,0.00,1.0000,1', ''],
    ['crop=0.3333,0.0001,0.6667,0.9999', 'crop=0.3333,0.0001,0.6667,0.9999'],
    ['crop=0%2C0%2C0.5%2C0.5', 'crop=0,0,0.5,0.5'],
    ['aspect=16:9', 'aspect=16:9'],
    ['aspect=16%3A9', 'aspect=16:9'],
    ['aspect=100:50', 'aspect=2:1'],
    ['aspect=7:7&width=10', 'aspect=1:1&width=10'],
    ['aspect=4:3&fit=cover&width=9&height=9', 'fit=cover&width=9&height=9'],
    ['aspect=4:3&fit=cover&width=9', 'aspect=4:3&width=9'],
    ['aspect=4:3&fit=pad&width=9&height=9', 'aspect=4:3&fit=pad&width=9&height=9'],
    ['fit=inside&width=9&height=9', 'width=9&height=9'],
    ['fit=cover&height=9', 'height=9'],
    ['fit=pad', ''],
    ['fit=&fit=cover&width=9&height=9', 'width=9&height=9'],
    // What a cut keeps.
    ['focus=center', ''],
    ['focus=0.50,1&aspect=1:1', 'aspect=1:1&focus=0.5,1'],
    ['focus=auto&fit=cover&width=1&height=2', 'fit=cover&focus=auto&width=1&height=2'],
    ['focus=center&fit=pad&width=1&height=2', 'fit=pad&width=1&height=2'],
    ['focus=0.5,0.5&fit=cover&width=1', 'width=1'],
    // Sizes.
    ['width=33&dpr=1.5', 'width=50'],
    ['width=10&height=20&dpr=3', 'width=30&height=60'],
    ['width=2048&dpr=3', 'width=4096'],
    ['width=4000&height=2000&dpr=2', 'width=4096&height=2048'],
    ['width=1&height=4096&dpr=3', 'width=1&height=4096'],
    ['fit=pad&width=3000&height=1000&dpr=2', 'fit=pad&width=4096&height=1365'],
    ['dpr=2', ''],
    ['width=10&dpr=1', 'width=10'],
    // Colours and formats.
    ['background=FFcc00', ''],
    ['background=FFcc00&output_format=png', 'output_format=png'],
    ['background=FFcc00&output_format=JPEG', 'background=ffcc00&output_format=jpeg'],
    ['background=FFFFFF&output_format=jpeg', 'output_format=jpeg'],
    ['background=FFFFFF&fit=pad&width=1&height=1', 'fit=pad&width=1&height=1&background=ffffff'],
    ['background=FFcc00&fit=pad&width=1', 'width=1'],
    ['hdr=1', 'hdr=1'],
    ['hdr=0', ''],
    ['hdr=1&grayscale=', 'grayscale=1'],
    ['hdr=1&grayscale=0', 'hdr=1'],
    ['hdr=1&fit=pad&width=1&height=1', 'fit=pad&width=1&height=1'],
    ['hdr=1&fit=pad&width=1', 'width=1&hdr=1'],
    ['hdr=1&output_format=png', 'hdr=1&output_format=png'],
    // All at once.
    [
      'output_format=jpeg&hdr=1&background=000000&height=2&width=1&focus=auto&fit=cover&aspect=1:1&crop=0,0,1,0.5',
      'crop=0,0,1,0.5&fit=cover&focus=auto&width=1&height=2&background=000000&hdr=1&output_format=jpeg',
    ],
  ])('of %s is %j', (query, expected) => {
    assert.equal(canonical(query), expected)
    assert.deepEqual(read(query).ignored, [], 'what merely counts nothing is not named')
  })

  test.each([
    ['output_format=auto', '', 'output_format=auto'],
    ['output_format=AUTO', 'webp', 'output_format=auto&accept=webp'],
    ['output_format=auto&width=5', 'avif,webp', 'width=5&output_format=auto&accept=avif,webp'],
    ['output_format=auto', 'avif', 'output_format=auto&accept=avif'],
    ['width=5', 'avif,webp', 'width=5'],
    ['output_format=auto&accept=avif', 'webp', 'output_format=auto&accept=webp'],
    ['preset=card', 'avif,webp', 'preset=card&accept=avif,webp'],
    ['preset=card', '', 'preset=card'],
    ['preset=card&output_format=png', 'avif,webp', 'preset=card&output_format=png'],
    ['preset=card&output_format=auto&dpr=1.5', 'webp', 'preset=card&dpr=1.5&output_format=auto&accept=webp'],
    ['dpr=1&preset=9-to-5&width=nonsense&fit=nonsense&grayscale=2&aspect=1:1', '', 'preset=9-to-5&dpr=1'],
    ['preset=&width=5', '', 'width=5'],
  ] as const)('of %s by who takes %j is %j', (query, accepted, expected) => {
    assert.equal(canonical(query, accepted), expected)
    assert.deepEqual(read(query, accepted).ignored, [])
  })

  test('a preset leaves a wrong density out, and refuses a wrong format as ever', () => {
    assert.deepEqual(read('preset=card&dpr=4&fit=x'), { query: 'preset=card', ignored: ['dpr'], problems: [], isNoPreset: false })
    assert.deepEqual(
      read('preset=card&output_format=tiff').problems.map(({ path }) => path),
      ['output_format'],
    )
  })

  test.each(['Card', 'card ', 'a_b', 'x'.repeat(41), '../x', 'é', ' ', '%'])('no preset is called %j', (name) => {
    const found = read(`output_format=auto&preset=${encodeURIComponent(name)}`)
    assert.deepEqual([found.isNoPreset, found.query], [true, 'output_format=auto'])
  })

  test('sizes are rounded up to steps after their density, but never where they are exact', () => {
    assert.equal(canonical('width=40&dpr=2', '', STEPS), 'width=160')
    assert.equal(canonical('width=40&height=65', '', STEPS), 'width=64&height=160')
    assert.equal(canonical('aspect=1:1&width=40', '', STEPS), 'aspect=1:1&width=64')
    for (const fit of ['cover', 'pad']) {
      assert.equal(canonical(`fit=${fit}&width=40&height=65`, '', STEPS), `fit=${fit}&width=40&height=65`)
      assert.equal(canonical(`fit=${fit}&width=40`, '', STEPS), 'width=64')
    }
  })

  test('what is wrong of the older parameters is refused, the rest is there', () => {
    const { query, problems, ignored } = read('output_format=gif&height=0&fit=cover&width=5&dpr=9&grayscale=2')
    assert.equal(query, 'width=5')
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['height', 'grayscale', 'output_format'],
    )
    assert.deepEqual(ignored, ['dpr'])
  })
})

describe('wrong values', () => {
  const newer = ['fit', 'aspect', 'crop', 'focus', 'background', 'dpr', 'hdr'] as const
  const right: Record<(typeof newer)[number], RegExp> = {
    fit: /^(inside|cover|pad)$/,
    aspect: /^([1-9]\d?|100):([1-9]\d?|100)$/,
    crop: /^$/,
    focus: /^(center|auto|(0|0\.\d{1,4}|1|1\.0{1,4}),(0|0\.\d{1,4}|1|1\.0{1,4}))$/,
    background: /^[\da-f]{6}$/i,
    dpr: /^(1|1\.5|2|3)$/,
    hdr: /^[01]$/,
  }
  const known = {
    fit: ['Cover', 'COVER', 'contain', 'fill', 'cover ', ' pad', 'cover,pad', 'inside;'],
    aspect: ['0:1', '1:0', '101:1', '1:101', '16/9', '16:9:1', '1.5:1', '01:1', '1:', ':1', '1', '-1:1', ' 1:1', '1:1\n', '１:1', '1e1:1'],
    crop: [
      ...['0,0,0,1', '0,0,1,0', '0,0,1', '0,0,1,1,1', '0.5,0,0.6,1', '0,0.0001,1,1', '-0.1,0,1,1', '0,0,1.1,1', '0.00001,0,0.5,0.5'],
      ...[
        '.5,0,.5,1',
        '0.,0,1,1',
        '0,0,2,1',
        '0, 0,1,1',
        '0,0,NaN,1',
        '0;0;1;1',
        '1e-1,0,0.5,1',
        '00,0,1,1',
        '+0,0,1,1',
        ',,,',
        '1,1,0.1,0.1',
      ],
    ],
    focus: [
      'Center',
      'AUTO',
      'face',
      '0.5',
      '0.5,0.5,0.5',
      '1.1,0',
      '-0,0',
      '0.12345,0',
      '0.5;0.5',
      '50%,50%',
      'left,top',
      '.5,.5',
      ',',
      '0,',
    ],
    background: ['#ffffff', 'fff', 'fffffff', 'white', 'gggggg', 'ffffff00', 'ffffff ', '0xffff', 'transparent', '１２３４５６'],
    dpr: ['0', '4', '1.0', '2.0', '2.5', '02', '2x', '+2', '-1', '1,5', 'auto', '2 '],
    hdr: ['true', 'TRUE', 'false', '2', '01', '1 ', 'yes', 'on', '-1'],
  }

  test.each(newer)('of %s give the plain query, and the parameter is named', (name) => {
    const texts = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1 }), fc.integer().map(String))
    const wrong = fc.oneof(fc.constantFrom(...known[name]), texts).filter((text) => !right[name].test(text))
    const check = (text: string) => {
      const value = encodeURIComponent(text)
      const found = read(`width=7&${name}=${value}&output_format=webp`)
      assert.deepEqual(found, { query: 'width=7&output_format=webp', ignored: [name], problems: [], isNoPreset: false })
    }
    for (const text of known[name]) check(text)
    fc.assert(fc.property(wrong, check), { numRuns: 300 })
  })

  test('are named in the order of the documentation, each once', () => {
    const query = newer.toReversed().flatMap((name) => [`${name}=wrong`, `${name}=again`])
    assert.deepEqual(read(query.join('&')).ignored, newer)
  })
})

describe('for any parameters', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 4096 }).map(String), fc.constantFrom('', '1', '4096', '0', '4097', 'x'))
  const fraction = fc.integer({ min: 0, max: 10_000 }).map((parts) => (parts / 10_000).toFixed(4))
  const list = (count: number) => fc.array(fraction, { minLength: count, maxLength: count }).map((each) => each.join(','))
  const values = {
    width: size,
    height: size,
    fit: fc.constantFrom('inside', 'cover', 'pad', 'wrong', ''),
    aspect: fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })).map((sides) => sides.join(':')),
      fc.constantFrom('', '0:1'),
    ),
    crop: fc.oneof(list(4), fc.constantFrom('0,0,1,1', '0,0,0.5,0.25', '')),
    focus: fc.oneof(list(2), fc.constantFrom('auto', 'center', 'wrong')),
    background: fc.constantFrom('FFFFFF', 'ffcc00', 'wrong'),
    dpr: fc.constantFrom('1', '1.5', '2', '3', '4'),
    hdr: fc.constantFrom('0', '1', '2'),
    grayscale: fc.constantFrom('', '1', 'TRUE', '0', 'no'),
    output_format: fc.constantFrom('', 'webp', 'JPEG', 'avif', 'png', 'auto', 'Auto', 'gif'),
    preset: fc.constantFrom('', 'card', 'Card'),
    accept: fc.constantFrom('avif', 'webp', 'avif,webp'),
    utm_source: fc.string(),
  }
  const parameters = fc
    .tuple(fc.shuffledSubarray(Object.keys(values) as (keyof typeof values)[]), fc.record(values))
    .map(([names, texts]) => names.map((name): [string, string] => [name, texts[name]]))
  const accepted = fc.constantFrom<AcceptedForms>('', 'avif', 'webp', 'avif,webp')
  const steps = fc.constantFrom<readonly number[]>([], STEPS)
  const queryOf = (given: readonly (readonly [string, string])[]) =>
    given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')

  test('their order does not matter', () => {
    const orders = parameters.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })))
    fc.assert(
      fc.property(orders, accepted, steps, ([given, other], takes, rounded) => {
        assert.deepEqual(read(queryOf(other), takes, rounded), read(queryOf(given), takes, rounded))
      }),
    )
  })

  test('of repeated ones the first counts', () => {
    fc.assert(
      fc.property(parameters, parameters, accepted, (given, later, takes) => {
        const names = new Set(given.map(([name]) => name))
        const repeated = later.filter(([name]) => names.has(name))
        assert.deepEqual(read(queryOf([...given, ...repeated]), takes), read(queryOf(given), takes))
      }),
    )
  })

  test('the canonical query of the canonical query is itself', () => {
    fc.assert(
      fc.property(parameters, accepted, steps, (given, takes, rounded) => {
        const once = read(queryOf(given), takes, rounded)
        const again = read(once.query, takes, rounded)
        assert.deepEqual(again, { query: once.query, ignored: [], problems: [], isNoPreset: false })
        assert.match(once.query, /^[\w=&,:.-]*$/)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a client accepts', () => {
  test.each([
    [undefined, ''],
    ['', ''],
    ['*/*', ''],
    ['image/*', ''],
    ['image/*,*/*;q=0.8', ''],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif,webp'],
    ['text/html, image/webp', 'webp'],
    ['IMAGE/WebP ; Q=0.1', 'webp'],
    ['image/avif', 'avif'],
    ['image/avif;q=0,image/webp', 'webp'],
    ['image/avif;q=0.0, image/webp;q=0.000', ''],
    ['image/avif;q=0.001', 'avif'],
    ['image/avif;q=', ''],
    ['image/avif;q=nonsense', ''],
    ['image/avif ; level=1 ; q = 0 ,\timage/webp\t', 'webp'],
    ['image/avif;quality=0', 'avif'],
    ['text/x;a="b,image/avif,c", image/webp;a=",";q=0', ''],
    ['image/avifs, ximage/webp, image/web, webp, avif', ''],
    ['image/webp image/avif', ''],
    ['image/webp;q=0, image/webp', 'webp'],
  ] as const)('%j is %j', (header, expected) => {
    assert.equal(acceptedForms(header), expected)
  })

  test('a hostile header takes time by its length alone', () => {
    const parts = [
      ',',
      ' ',
      ';',
      '"',
      '\\"',
      'q=',
      'image/webp',
      ', ',
      '; ',
      'image/webp ',
      'image/webp;q=0,',
      ',image/webp;',
      '"image/avif",',
    ]
    for (const part of parts) acceptedForms(part.repeat(Math.ceil(1_000_000 / part.length)))
    for (const part of parts) assert.ok(acceptedForms(`image/webp,${part.repeat(8_192 / part.length)}`).length < 10)
  })

  test('any header names one of four, which is what a cache keeps of a picture', () => {
    const word = fc.constantFrom('image/avif', 'image/webp', 'image/*', '*/*', ';q=0', ';q=1', ',', ' ', '"', ';', 'x')
    const headers = fc.oneof(
      fc.array(word).map((words) => words.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(headers, (header) => {
        const query = read('output_format=auto', acceptedForms(header)).query
        assert.match(query, /^output_format=auto(?:&accept=(?:avif,webp|avif|webp))?$/)
      }),
    )
  })
})
