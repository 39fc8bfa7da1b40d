/** Wrong values of the newer parameters of links, generated, and the same in each run. */

/** Values of each parameter that are nearly right. */
const nearlyRight = {
  fit: ['Cover', 'COVER', 'covers', 'contain', 'fill', 'cover,pad', 'pad;', ' cover', 'cover ', 'in side', '0', 'null'],
  aspect: [
    '16',
    '16:',
    ':9',
    '16:9:1',
    '16/9',
    '16x9',
    '0:1',
    '1:0',
    '101:1',
    '1:101',
    '-1:2',
    '1.5:1',
    '1e1:1',
    'a:b',
    '16 : 9',
    '１６:９',
  ],
  crop: [
    '0,0,1',
    '0,0,1,1,1',
    '0,0,0,1',
    '0,0,1,0',
    '0.6,0,0.5,1',
    '0,0.9,1,0.2',
    '-0.1,0,1,1',
    '2,0,1,1',
    '0,0,1.5,1',
    '0,0,0.12345,1',
  ].concat([
    '0;0;1;1',
    '0 0 1 1',
    'a,b,c,d',
    ',,,',
    '1e-1,0,0.5,0.5',
    '0x0,0,1,1',
    'NaN,0,1,1',
    'Infinity,0,1,1',
    '0,0,1,1,',
    '10%,0,50%,50%',
  ]),
  focus: [
    'Center',
    'centre',
    'face',
    'AUTO',
    '0.5',
    '0.5,',
    ',0.5',
    '0.5,0.5,0.5',
    '1.1,0',
    '-0.1,0',
    '0.12345,0',
    '0.5;0.5',
    '5e-1,0',
    'NaN,NaN',
  ],
  background: [
    'fff',
    '#ffffff',
    'ffffffff',
    'gggggg',
    'white',
    'red',
    'rgb(0,0,0)',
    '0xffffff',
    'ffffff ',
    '12345',
    'transparent',
    'ｆｆｆｆｆｆ',
  ],
  dpr: ['0', '-1', '1000', '4', '2.5', '1.25', '2x', '2,0', '1e0', 'two', 'Infinity', '3.0001', '.5', '0x2', '٢'],
  hdr: ['2', '-1', '1.0', '01', 'on', 'yes', 'maybe', 'HDR', '1,0', '10', '1e0', '１'],
} as const satisfies Record<string, readonly string[]>

export type NewerParameter = keyof typeof nearlyRight
export const newerParameters = Object.keys(nearlyRight) as NewerParameter[]

/** Values that are wrong of every parameter, as they stand in a query. */
const wrongAnywhere = [
  ...[
    '%00',
    '%00cover',
    'cover%00',
    '%',
    '%zz',
    '%c3%28',
    '%ff%fe',
    '%f0%9f%96%bc',
    '%25',
    '%2500',
    '%0d%0aX-Evil:%201',
    '..%2f..%2fetc%2fpasswd',
  ],
  ...[
    '%3Cscript%3E',
    '%27%20OR%201=1',
    '$(id)',
    '%60id%60',
    '%7B%7B7*7%7D%7D',
    '=',
    '==1',
    '[]',
    '{}',
    '%5B1%5D',
    '__proto__',
    'constructor',
    'undefined',
  ],
  ...[
    '9'.repeat(400),
    'a'.repeat(4_000),
    '-'.repeat(100),
    '1,'.repeat(1_000),
    '0.'.repeat(500),
    '%F0%9F%8C%8A'.repeat(100),
    `${'1'.repeat(20)}:1`,
  ],
  ...[
    '99999999999999999999',
    '-99999999999999999999',
    '1e309',
    '-0',
    '+%2B1',
    '0b1',
    '0o7',
    '1_000',
    '%E2%88%9E',
    '%D9%A3',
    '%EF%BC%91',
    'NaN',
  ],
]

/** Of one parameter: so many, each once, as they stand in a query. */
export function wrongValues(name: NewerParameter, count: number): string[] {
  const values = new Set<string>([...nearlyRight[name].map(encodeURIComponent), ...wrongAnywhere])
  const random = generator(newerParameters.indexOf(name) + 1)
  while (values.size < count) values.add(madeUp(random))
  return [...values].slice(0, count)
}

const ALPHABET = [
  '!',
  '"',
  '$',
  "'",
  '(',
  ')',
  '*',
  '@',
  '~',
  '`',
  '|',
  '^',
  'ø',
  'ж',
  '漢',
  '🖼',
  '\u0000',
  '\u202e',
  '\n',
  '\\',
  '<',
  '>',
  'x',
  '7',
  '.',
  ',',
  ':',
]

/** Any text: it begins with a letter that no right value has. */
function madeUp(random: () => number): string {
  const letters = Array.from({ length: 1 + (random() % 24) }, () => ALPHABET[random() % ALPHABET.length])
  return encodeURIComponent(`q${letters.join('')}`)
}

/** xorshift32 */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
