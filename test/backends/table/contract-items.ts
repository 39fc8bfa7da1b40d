import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ItemTooLarge, MAX_ITEM_BYTES, type Value } from '../../../shared/backends/table/port.ts'
import type { Subject } from './contract.ts'

/** Reading and writing single items, and what may be stored. */
export function itemsContract(subject: Subject): void {
  describe('items', () => {
    test('an item comes back as it was put', async () => {
      const { table } = subject
      const item = {
        pk: subject.partition(),
        sk: 'a',
        text: 'Grüße 👋 "\\\n\u0000',
        empty: '',
        whole: 42,
        negative: -0.1,
        tiny: 5e-100,
        large: 2 ** 53 + 2,
        pi: Math.PI,
        yes: true,
        no: false,
        nothing: null,
        list: [1, 'two', [null, { three: 3 }], []],
        map: { en: ['x'], nested: { deep: { deeper: true } }, none: {} },
      }
      await table.put(item)
      assert.deepEqual(await table.get({ pk: item.pk, sk: 'a' }), item)
    })

    test('attributes with names of JavaScript and of DynamoDB are attributes like others', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      const odd = JSON.parse('{"constructor": "x", "a.b": 1, "#n": 2, ":v": 3, "size": 4, "ttlish name": 5}')
      const nested = JSON.parse('{"constructor": "x", "toString": null}')
      await table.put({ ...key, ...odd, nested })
      assert.deepEqual(await table.get(key), { ...key, ...odd, nested })
      const updated = await table.update(key, { set: { 'a.b': 6, values: 7 }, remove: ['#n'], add: { size: 1 } }, { 'a.b': { equals: 1 } })
      assert.equal(updated['a.b'], 6)
      assert.equal(updated.values, 7)
      assert.equal(updated.size, 5)
      assert.ok(!('#n' in updated))
    })

    test('a lone surrogate becomes the replacement character', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a\ud800' }
      await table.put({ ...key, text: 'x\ud800y', list: ['\udfff'], map: { 'n\ud800': 1 } })
      const expected = { pk: key.pk, sk: 'a\ufffd', text: 'x\ufffdy', list: ['\ufffd'], map: { 'n\ufffd': 1 } }
      assert.deepEqual(await table.get(key), expected)
      assert.deepEqual(await table.get({ pk: key.pk, sk: 'a\ufffd' }), expected)
    })

    test('keys are told apart byte by byte', async () => {
      const { table } = subject
      const pk = subject.partition()
      const names = ['a', 'A', 'a ', ' a', 'ä', 'a\u0308', 'a\u0000', 'a\u0000b', "a'b", 'a%', '\u{1f600}', '1', '01', 'a'.repeat(1024)]
      await Promise.all(names.map((sk, position) => table.put({ pk, sk, position })))
      for (const [position, sk] of names.entries()) assert.equal((await table.get({ pk, sk }))?.position, position, JSON.stringify(sk))
    })

    test('many items are read in the order asked for, each once, missing ones left out', async () => {
      const { table } = subject
      const pk = subject.partition()
      const keys = Array.from({ length: 230 }, (_, n) => ({ pk, sk: `item ${n}` }))
      await Promise.all(keys.map((key, n) => table.put({ ...key, n })))
      const asked = [{ pk, sk: 'missing' }, ...keys.toReversed(), ...keys.slice(0, 40), { pk: `${pk} other`, sk: 'item 1' }]
      const items = await table.getMany<{ pk: string; sk: string; n: number }>(asked)
      assert.deepEqual(
        items.map(({ n }) => n),
        keys.map((_, n) => n).toReversed(),
      )
      assert.deepEqual(await table.getMany([]), [])
    })

    test('some attributes of items are read without the others', async () => {
      const { table } = subject
      const pk = subject.partition()
      const [full, bare] = [
        { pk, sk: 'full', revision: 7, name: 'n', 'with-hyphen': ['x', { y: null }], large: 'x'.repeat(1000), nothing: null },
        { pk, sk: 'bare', other: 1 },
      ]
      await Promise.all([table.put(full), table.put(bare)])
      const keys = [
        { pk, sk: 'missing' },
        { pk, sk: 'full' },
        { pk, sk: 'bare' },
      ]
      const { large: _, ...rest } = full
      const attributes = ['revision', 'name', 'with-hyphen', 'nothing', 'never', 'sk']
      assert.deepEqual(await table.getMany(keys, { attributes }), [rest, { pk, sk: 'bare' }])
      assert.deepEqual(await table.getMany(keys, { attributes: [] }), keys.slice(1))
    })

    test('many large items are read although one answer can not hold them', async () => {
      const { table } = subject
      const pk = subject.partition()
      const keys = Array.from({ length: 50 }, (_, n) => ({ pk, sk: `item ${n}` }))
      await Promise.all(keys.map((key) => table.put({ ...key, text: 'x'.repeat(350_000) })))
      assert.equal((await table.getMany(keys)).length, keys.length)
      await Promise.all(keys.map((key) => table.delete(key)))
    })

    test('an update changes what it names and returns the item', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      await table.put({ ...key, kept: ['x'], changed: 1, removed: 1, count: 5 })
      const changes = {
        set: { changed: { en: 'x' }, fresh: null, kept: undefined },
        remove: ['removed', 'never'],
        add: { count: -2, other: 3 },
      }
      const updated = await table.update(key, changes)
      assert.deepEqual(updated, { ...key, kept: ['x'], changed: { en: 'x' }, fresh: null, count: 3, other: 3 })
      assert.deepEqual(await table.get(key), updated)
    })

    test('50 increments at once are all counted, and each returns another count', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'counter' }
      const counts = await Promise.all(
        Array.from({ length: 50 }, () => table.update<{ pk: string; sk: string; n: number }>(key, { add: { n: 1 } })),
      )
      assert.deepEqual(
        counts.map(({ n }) => n).sort((a, b) => a - b),
        Array.from({ length: 50 }, (_, n) => n + 1),
      )
    })

    test('an item of 400 KB is stored, a larger one is refused', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      const room = MAX_ITEM_BYTES - Buffer.byteLength(`pk${key.pk}sk${key.sk}t`)
      await table.put({ ...key, t: 'ä'.repeat(room / 2) })
      await assert.rejects(table.put({ ...key, sk: 'b', t: 'ä'.repeat(room / 2 + 1) }), ItemTooLarge)
      await assert.rejects(table.update(key, { set: { more: 'x' } }), ItemTooLarge)
      await assert.rejects(
        table.transact({ c: { put: { ...key, sk: 'c' } }, a: { update: key, changes: { set: { more: 'x' } } } }),
        ItemTooLarge,
      )
      assert.equal(await table.get({ ...key, sk: 'b' }), undefined)
      assert.equal(await table.get({ ...key, sk: 'c' }), undefined)
    })

    test('what no table takes is a TypeError', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      const nest = (levels: number): Value => (levels === 0 ? 1 : [nest(levels - 1)])
      await table.put({ ...key, text: 'x', deep: nest(31) })
      const wrong: (() => Promise<unknown>)[] = [
        () => table.get({ pk: '', sk: 'a' }),
        () => table.get({ pk: 'a', sk: '' }),
        () => table.put({ ...key, sk: 'x'.repeat(1025) }),
        () => table.put({ ...key, n: Number.NaN }),
        () => table.put({ ...key, n: 1e200 }),
        () => table.put({ ...key, list: [undefined as unknown as null] }),
        () => table.put({ ...key, big: 1n as unknown as number }),
        () => table.put({ ...key, deep: nest(32) }),
        () => table.put({ ...key, '': 1 }),
        () => table.put({ ...key, ['__proto__']: 1 }),
        () => table.put({ ...key, map: { ['__proto__']: 1 } }),
        () => table.put({ ...key, folderKey: '', mediaKey: 'x' }),
        () => table.update(key, {}),
        () => table.update(key, { set: { sk: 'b' } }),
        () => table.update(key, { set: { a: 1 }, remove: ['a'] }),
        () => table.update(key, { add: { n: 0.5 } }),
        () => table.update(key, { add: { text: 1 } }),
        () => table.query({ pk: '' }),
        () => table.query({ pk: 'a', limit: 0 }),
        () => table.query({ pk: 'a', index: 'changeFeed', consistent: true }),
      ]
      for (const [position, attempt] of wrong.entries()) await assert.rejects(attempt(), TypeError, `case ${position}`)
      assert.deepEqual(await table.get(key), { ...key, text: 'x', deep: nest(31) })
    })
  })
}
