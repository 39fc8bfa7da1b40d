import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Access, isAllowed, type Statement } from './policy.ts'

const read: Access = { by: 'role:Reader', action: 's3:GetObject', resource: 'arn:aws:s3:::media/1/original' }
const allow = (statement: Partial<Statement>): Statement => ({
  Effect: 'Allow',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::media/*',
  ...statement,
})

describe('judging a policy', () => {
  test('what nobody allows is denied', () => {
    assert.equal(isAllowed([], read), false)
    assert.equal(isAllowed([allow({ Action: 's3:PutObject' })], read), false)
    assert.equal(isAllowed([allow({ Resource: 'arn:aws:s3:::uploads/*' })], read), false)
  })

  test('an action and a resource that a statement names are allowed, whatever the case of the action', () => {
    assert.equal(isAllowed([allow({})], read), true)
    assert.equal(isAllowed([allow({ Action: ['s3:PutObject', 'S3:getobject'] })], read), true)
  })

  test('a denial beats what is allowed', () => {
    assert.equal(isAllowed([allow({}), allow({ Effect: 'Deny', Action: 's3:*' })], read), false)
  })

  test('a pattern is not a regular expression, and its wildcards cross slashes', () => {
    assert.equal(isAllowed([allow({ Resource: 'arn:aws:s3:::med.a/*' })], read), false)
    assert.equal(isAllowed([allow({ Resource: 'arn:aws:s3:::m?dia/*nal' })], read), true)
    assert.equal(isAllowed([allow({ Resource: 'arn:aws:s3:::media' })], read), false)
  })

  test('conditions hold for the values that the request has; one that it lacks fails', () => {
    const conditional = allow({ Condition: { StringEquals: { 'aws:SourceAccount': '1' } } })
    assert.equal(isAllowed([conditional], { ...read, context: { 'aws:sourceaccount': '1' } }), true)
    assert.equal(isAllowed([conditional], { ...read, context: { 'aws:sourceaccount': '2' } }), false)
    assert.equal(isAllowed([conditional], read), false)
  })

  test('a statement for somebody else says nothing', () => {
    assert.equal(isAllowed([allow({ Principal: { Service: 'cloudfront.amazonaws.com' } })], read), false)
    assert.equal(
      isAllowed([allow({ Principal: { Service: 'cloudfront.amazonaws.com' } })], { ...read, by: 'cloudfront.amazonaws.com' }),
      true,
    )
    assert.equal(isAllowed([allow({ Principal: { AWS: '*' } })], read), true)
  })

  test('what the judge does not know is refused', () => {
    const odd = { ...allow({}), NotAction: 's3:PutObject' } as Statement
    assert.throws(() => isAllowed([odd], read), /NotAction can't be judged/)
    assert.throws(() => isAllowed([allow({ Condition: { IpAddress: { 'aws:SourceIp': '::1' } } })], read), /IpAddress can't be judged/)
  })
})
