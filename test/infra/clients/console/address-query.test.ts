import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { addressWith, valueIn, withValue } from '../../../../infra/clients/console/app/links/address-query.ts'
import { renderedSize } from '../../../../infra/clients/console/app/links/rendered-size.ts'

describe('the query of an address that is built', () => {
  test('has its parameters in one order, and keeps what it does not know', () => {
    assert.equal(withValue('lang=da&height=400&width=300', 'fit', 'cover'), 'fit=cover&width=300&height=400&lang=da')
  })

  test('writes points and shapes as people read them, and nothing else that could be another parameter', () => {
    assert.equal(withValue('', 'focus', '0.2,0.75'), 'focus=0.2,0.75')
    assert.equal(withValue('', 'aspect', '16:9'), 'aspect=16:9')
    assert.equal(withValue('', 'background', 'a&b=c'), 'background=a%26b%3Dc')
  })

  test('loses a parameter that is emptied, also where it is there twice', () => {
    assert.equal(withValue('width=1&width=2&height=3', 'width', ''), 'height=3')
    assert.equal(valueIn('width=1&width=2', 'width'), '1')
  })

  test('is put behind the address, with or without its question mark', () => {
    assert.equal(addressWith('https://cdn.example/a.jpg', ' ?width=1 '), 'https://cdn.example/a.jpg?width=1')
    assert.equal(addressWith('https://cdn.example/a.jpg', ' '), 'https://cdn.example/a.jpg')
  })
})

describe('the room that a picture of 1000 x 500 takes', () => {
  test.each([
    ['', 1000, 500],
    ['width=800', 800, 400],
    ['width=800&height=100', 200, 100],
    ['width=4000', 1000, 500],
    ['fit=cover&width=300&height=300', 300, 300],
    ['fit=cover&width=2000&height=2000', 500, 500],
    ['fit=cover&width=300', 300, 150],
    ['fit=pad&width=1200&height=630', 1200, 630],
    ['aspect=1:1', 500, 500],
    ['aspect=1:1&width=200&dpr=2', 200, 200],
    ['crop=0,0,0.5,0.5&width=100', 100, 50],
    ['crop=0.6,0,0.5,0.5', 1000, 500],
    ['aspect=0:1&width=wide', 1000, 500],
  ])('by `%s` is %i x %i', (query, width, height) => {
    assert.deepEqual(renderedSize(query, { width: 1000, height: 500 }), { width, height })
  })
})
