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

const toService = allow({ Principal: { Service: 'cloudfront.amazonaws.com' } })
const conditional = allow({ Condition: { StringEquals: { 'aws:SourceAccount': '1' } } })

describe('judging a policy', () => {
  test.each<[string, boolean, Statement[], Partial<Access>]>([
    ['what nobody allows is denied', false, [], {}],
    ['another action is denied', false, [allow({ Action: 's3:PutObject' })], {}],
    ['another resource is denied', false, [allow({ Resource: 'arn:aws:s3:::uploads/*' })], {}],
    ['an action and a resource that a statement names are allowed', true, [allow({})], {}],
    ['the case of the action does not matter', true, [allow({ Action: ['s3:PutObject', 'S3:getobject'] })], {}],
    ['a denial beats what is allowed', false, [allow({}), allow({ Effect: 'Deny', Action: 's3:*' })], {}],
    ['a pattern is not a regular expression', false, [allow({ Resource: 'arn:aws:s3:::med.a/*' })], {}],
    ['its wildcards cross slashes', true, [allow({ Resource: 'arn:aws:s3:::m?dia/*nal' })], {}],
    ['it is of the whole name', false, [allow({ Resource: 'arn:aws:s3:::media' })], {}],
    ['a condition holds for the value that the request has', true, [conditional], { context: { 'aws:sourceaccount': '1' } }],
    ['and for no other', false, [conditional], { context: { 'aws:sourceaccount': '2' } }],
    ['one that the request lacks fails', false, [conditional], {}],
    ['a statement for somebody else says nothing', false, [toService], {}],
    ['one for a service is for it', true, [toService], { by: 'cloudfront.amazonaws.com' }],
    ['one for everybody is for all', true, [allow({ Principal: { AWS: '*' } })], {}],
  ])('%s', (_, isGiven, statements, access) => assert.equal(isAllowed(statements, { ...read, ...access }), isGiven))

  test('what the judge does not know is refused', () => {
    const odd = { ...allow({}), NotAction: 's3:PutObject' } as Statement
    assert.throws(() => isAllowed([odd], read), /NotAction can't be judged/)
    assert.throws(() => isAllowed([allow({ Condition: { IpAddress: { 'aws:SourceIp': '::1' } } })], read), /IpAddress can't be judged/)
  })
})
