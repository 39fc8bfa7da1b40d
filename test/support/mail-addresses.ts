/** Domains that are none, most of which the host of a URL would make into `a.test` or an address of IPv4. */
export const noDomains = [
  ...['a.test/.evil.test', 'a.test?evil.test', 'a.test#.evil.test', 'a.test\\.evil.test', 'a%2etest', 'a.te\tst', 'a.test\n', 'a.te\r\nst'],
  ...['a.test:80', 'a.test:', 'evil.test@a.test', ' a.test', 'a test', 'a.test\0', 'a\u00a0.test', 'a.test／.evil.test', 'a％2etest'],
  ...[
    'a.test？x',
    '127.1',
    '127.0.0.1',
    '0x7f.1',
    '0177.1',
    '2130706433',
    '１２７.1',
    '[127.0.0.1]',
    '127.0.0.1.',
    '[::1]',
    '[IPv6:::1]',
    'a.1',
  ],
  ...['1.2.3.4.5', '', '.', '.a.test', 'a..test', 'a.test.', 'a。。test', '-a.test', 'a-.test', 'a.-test', 'a.test-', 'a_b.test', '*.test'],
  ...['a,b.test', 'a;b.test'],
  ...[`${'a'.repeat(64)}.test`, `${'a.'.repeat(125)}test`, `${'ü'.repeat(60)}.test`, 'xn--\u00fc.test'],
]

/** Domains as people write them, and as they are kept and compared (UTS 46). */
export const domainForms = [
  ['a.test', 'a.test'],
  ['A.Test', 'a.test'],
  ['sub.a-b.test', 'sub.a-b.test'],
  ['a．test', 'a.test'],
  ['a。test', 'a.test'],
  ['ａ.test', 'a.test'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['1a.test', '1a.test'],
  [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
] as const
