import assert from 'node:assert/strict'
import { type ACMClient, ListCertificatesCommand, ResourceNotFoundException } from '@aws-sdk/client-acm'
import { type CloudFrontClient, ListCachePoliciesCommand } from '@aws-sdk/client-cloudfront'
import type { IAMClient } from '@aws-sdk/client-iam'
import { GetHostedZoneCommand, NoSuchHostedZone, type Route53Client } from '@aws-sdk/client-route-53'
import { GetAccountCommand, type GetEmailIdentityCommand, NotFoundException, type SESv2Client } from '@aws-sdk/client-sesv2'
import { describe, test } from 'vitest'
import { certificateProblem } from '../../../../infra/aws/deploy/certificate.ts'
import { zoneProblems } from '../../../../infra/aws/deploy/hosted-zone.ts'
import { senderWarnings } from '../../../../infra/aws/deploy/mail-sender.ts'
import { policyProblem } from '../../../../infra/aws/deploy/policy-room.ts'
import { roleProblem } from '../../../../infra/aws/deploy/role-room.ts'

/** A client of AWS that answers so. */
const answering = <Client>(send: (command: never) => unknown) => ({ send: async (command: never) => send(command) }) as unknown as Client

describe('before a deployment makes anything, it asks', () => {
  describe('for the certificate', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000'
    const hosts = { certificateArn, apiDomain: 'api.example.com', deliveryDomain: 'files.example.com', formerCdnDomains: [] }
    const certificate = (Certificate: object) => answering<ACMClient>(() => ({ Certificate }))
    const names = { DomainName: 'api.example.com', SubjectAlternativeNames: ['files.example.com'] }

    test('that is issued, and covers all hosts, by name or by wildcard', async () => {
      assert.equal(await certificateProblem(certificate({ Status: 'ISSUED', ...names }), hosts), undefined)
      assert.equal(await certificateProblem(certificate({ Status: 'ISSUED', DomainName: '*.example.com' }), hosts), undefined)
      const further = { ...hosts, cdnDomain: 'cdn.example.com', playerDomain: 'a.b.example.com', formerCdnDomains: ['old.example.org'] }
      const wildcard = certificate({ Status: 'ISSUED', DomainName: '*.example.com' })
      assert.match((await certificateProblem(wildcard, further)) ?? '', /does not cover a\.b\.example\.com, old\.example\.org\.$/)
    })

    test('and what is wrong with any other', async () => {
      assert.match((await certificateProblem(certificate({ Status: 'PENDING_VALIDATION', ...names }), hosts)) ?? '', /not validated yet/)
      const none = answering<ACMClient>(() => {
        throw new ResourceNotFoundException({ message: 'none', $metadata: {} })
      })
      assert.match((await certificateProblem(none, hosts)) ?? '', /^There is no certificate/)
    })
  })

  test('for a certificate of this account: ACM denies to look at one of another, but lists its own', async () => {
    const certificateArn = 'arn:aws:acm:us-east-1:210987654321:certificate/00000000-0000-0000-0000-000000000000'
    const denying = (mayList: boolean) =>
      answering<ACMClient>((command: unknown) => {
        if (mayList && command instanceof ListCertificatesCommand) return {}
        throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' })
      })
    const asked = (mayList: boolean) => certificateProblem(denying(mayList), { certificateArn, formerCdnDomains: [] })
    assert.match((await asked(true)) ?? '', /no certificate arn:aws:acm:us-east-1:210987654321.* in this account/)
    await assert.rejects(asked(false), /denied/)
  })

  describe('for the hosted zone', () => {
    const settings = { hostedZoneId: 'Z1', apiDomain: 'api.example.com', deliveryDomain: 'example.com' }
    const zone = (given: { Name?: string; PrivateZone?: boolean; records?: readonly [name: string, type: string][] } = {}) =>
      answering<Route53Client>((command: unknown) => {
        const { Name = 'example.com.', PrivateZone = false, records = [] } = given
        if (command instanceof GetHostedZoneCommand) return { HostedZone: { Name, Config: { PrivateZone } } }
        return { ResourceRecordSets: records.map(([Name, Type]) => ({ Name, Type })) }
      })
    const problems = async (client: Route53Client, made: string[] = []) => (await zoneProblems(client, settings, new Set(made))).join('\n')

    test('which holds all names, and nothing that stands in their way', async () => {
      const records: [string, string][] = [
        ...['NS', 'SOA', 'MX', 'TXT'].map((type): [string, string] => ['example.com.', type]),
        ['other.example.com.', 'A'],
      ]
      assert.equal(await problems(zone({ records })), '')
      assert.deepEqual(await zoneProblems(zone({ Name: 'x.' }), { apiDomain: 'api.example.com' }, new Set()), [])
    })

    test('and says what is wrong with any other', async () => {
      const none = answering<Route53Client>(() => {
        throw new NoSuchHostedZone({ message: 'none', $metadata: {} })
      })
      assert.match(await problems(none), /^There is no hosted zone Z1 in this account\.$/)
      assert.match(await problems(zone({ PrivateZone: true })), /is private/)
      assert.match(await problems(zone({ Name: 'api.example.com.' })), /below api\.example\.com, not example\.com\.$/)
      assert.match(await problems(zone({ Name: 'ample.com.' })), /not api\.example\.com, example\.com/)
    })

    test('and for records that somebody else has made', async () => {
      const there = zone({ records: [['api.example.com.', 'CNAME']] })
      assert.match(await problems(there), /^The hosted zone has CNAME of api\.example\.com already/)
      assert.equal(await problems(there, ['api.example.com']), '')
    })
  })

  test('for room for the policies of a new stack', async () => {
    const account = (caching: number, headers: number, Name = 'media-library-0123456789abcdef') => {
      const policy = { ResponseHeadersPolicy: { ResponseHeadersPolicyConfig: { Name } } }
      return answering<CloudFrontClient>((command: unknown) =>
        command instanceof ListCachePoliciesCommand
          ? { CachePolicyList: { Items: Array(caching).fill({}) } }
          : { ResponseHeadersPolicyList: { Items: Array(headers).fill(policy) } },
      )
    }
    assert.equal(await policyProblem(account(18, 18)), undefined)
    assert.match((await policyProblem(account(19, 3))) ?? '', /has 19 of caching, and 2 more are made: remove/)
    // The first stack of an account also makes the four that all share.
    assert.equal(await policyProblem(account(0, 14, 'other')), undefined)
    assert.match((await policyProblem(account(0, 15, 'other'))) ?? '', /15 of headers, and 6 more are made/)
  })

  describe('for room for roles', () => {
    const account = (Roles: number) => answering<IAMClient>(() => ({ SummaryMap: { Roles, RolesQuota: 1_000 } }))
    const role = { Type: 'AWS::IAM::Role' }
    const ofTemplates = (...all: Record<string, { Type: string }>[]) => all.map((Resources) => ({ template: { Resources } }))
    /** A stack and a nested one, of three roles in all. */
    const templates = ofTemplates({ A: role, Table: { Type: 'AWS::DynamoDB::Table' } }, { B: role, C: role })
    const there = (...ids: string[]) => ids.map((id) => ({ type: 'AWS::IAM::Role', id }))

    test('of a new stack', async () => {
      assert.equal(await roleProblem(account(997), templates, []), undefined)
      assert.match(
        (await roleProblem(account(998), templates, [])) ?? '',
        /^IAM allows this account 1,000 roles\. It has 998, and 3 more are made: remove/,
      )
    })

    test('and of an update, which removes roles of the former version last', async () => {
      assert.equal(await roleProblem(account(999), templates, there('A', 'B', 'Former')), undefined)
      assert.match((await roleProblem(account(1_000), templates, there('A', 'B', 'Former'))) ?? '', /has 1,000, and 1 more/)
      assert.equal(await roleProblem(account(1_000), templates, there('A', 'B', 'C')), undefined)
    })
  })

  describe('for the sender of e-mails', () => {
    /** An account of SES with identities that are verified, or not. */
    const account = (identities: Readonly<Record<string, boolean>>, ProductionAccessEnabled = true) =>
      answering<SESv2Client>((command: GetAccountCommand | GetEmailIdentityCommand) => {
        if (command instanceof GetAccountCommand) return { ProductionAccessEnabled }
        const VerifiedForSendingStatus = identities[command.input.EmailIdentity!]
        if (VerifiedForSendingStatus === undefined) throw new NotFoundException({ message: 'none', $metadata: {} })
        return { VerifiedForSendingStatus }
      })
    const mailSender = 'library@mail.acme.test'

    test('which is verified as itself, by its domain, or by one above', async () => {
      for (const identity of [mailSender, 'mail.acme.test', 'acme.test'])
        assert.deepEqual(await senderWarnings(account({ [identity]: true }), { mailSender }), [], identity)
    })

    test('and says what keeps e-mails from being sent', async () => {
      const [unverified] = await senderWarnings(account({ 'acme.test': false }), { mailSender })
      assert.match(unverified ?? '', /has not verified library@mail\.acme\.test/)
      assert.match((await senderWarnings(account({ 'acme.test': true }, false), { mailSender })).join(), /in its sandbox/)
      assert.match((await senderWarnings(account({}), { mailSender: 'library@example.com' })).join(), /library@example\.com can't send/)
    })
  })
})
