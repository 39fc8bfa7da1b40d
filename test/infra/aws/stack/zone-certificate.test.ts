import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { sampleTables } from './sample-tables.ts'
import { asText, type Json, listOf, ownHosts, pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const { certificateArn, ...hosts } = ownHosts
const inZone = { ...hosts, hostedZoneId: 'Z0123456789ABCDEFGHIJ' }
const zone = synthesize(sampleTables, inZone)
const recordsOf = (stack: Synthesized, type: RegExp) =>
  stack.ofType('AWS::Route53::RecordSet').filter(({ properties }) => type.test(properties.Type))

describe('host names in a hosted zone', () => {
  test('lead to their distributions, by both families of addresses', () => {
    const distributions = zone.ofType('AWS::CloudFront::Distribution')
    for (const { id, properties } of distributions) {
      const [alias] = properties.DistributionConfig.Aliases
      const records = recordsOf(zone, /^A+$/).filter(({ properties }) => properties.Name === `${alias}.`)
      assert.deepEqual(records.map(({ properties }) => properties.Type).sort(), ['A', 'AAAA'])
      for (const { properties } of records) {
        assert.deepEqual(properties.AliasTarget, { DNSName: { 'Fn::GetAtt': [id, 'DomainName'] }, HostedZoneId: 'Z2FDTNDATAQYW2' })
        assert.equal(properties.HostedZoneId, inZone.hostedZoneId)
      }
    }
    assert.equal(recordsOf(zone, /^A+$/).length, 2 * distributions.length)
  })

  test('have a certificate that distributions get once it is issued, after its records are there', () => {
    const [issued] = zone.ofType('Custom::IssuedCertificate')
    const [requested] = zone.ofType('Custom::Certificate')
    for (const { properties } of zone.ofType('AWS::CloudFront::Distribution'))
      assert.equal(asText(properties.DistributionConfig.ViewerCertificate.AcmCertificateArn), `<${issued!.id}.Arn>`)
    assert.equal(pointsAt(issued!.properties.CertificateArn), requested!.id)
    const names: string[] = requested!.properties.Names
    assert.deepEqual([...names].sort(), Object.values(hosts).sort())
    assert.ok(names.every((name, at) => at === 0 || name.length >= names[at - 1]!.length))
    const validations = recordsOf(zone, /CNAME/)
    assert.deepEqual(
      validations.map(({ properties }) => [asText(properties.Name), properties.ResourceRecords.map(asText).join()]).sort(),
      names.map((_, at) => [`<${requested!.id}.Name${at}>`, `<${requested!.id}.Value${at}>`]).sort(),
    )
    for (const { id } of validations) assert.ok(listOf(zone.template.Resources[issued!.id].DependsOn).includes(id))
  })

  test('have another certificate when there is one name more, and keep their records', () => {
    const { playerDomain, ...fewer } = inZone
    const before = synthesize(sampleTables, fewer)
    const ids = (stack: Synthesized, type: string) => new Set(stack.ofType(type).map(({ id }) => id))
    for (const type of ['Custom::Certificate', 'Custom::IssuedCertificate'])
      assert.ok(ids(before, type).isDisjointFrom(ids(zone, type)), type)
    assert.ok(ids(before, 'AWS::Route53::RecordSet').isSubsetOf(ids(zone, 'AWS::Route53::RecordSet')))
    assert.ok(playerDomain)
  })

  test('let the function look at and remove certificates of this stack alone', () => {
    const fn = zone.ofType('AWS::Lambda::Function').find(({ properties }) => asText(properties.FunctionName).endsWith('-make-certificate'))!
    const role = zone.resources.find(({ id }) => id === pointsAt(fn.properties.Role))!
    const statements: Json[] = role.properties.Policies[0].PolicyDocument.Statement
    const acm = statements.filter(({ Action }) => listOf(Action).some((action) => action.startsWith('acm:')))
    const tag = 'media-library-<AWS::Region>'
    assert.deepEqual(
      acm.map(({ Condition }) => Object.entries<Json>(Condition.StringEquals).map(([key, value]) => [key, asText(value)])),
      [[['aws:RequestTag/media-library-stack', tag]], [['aws:ResourceTag/media-library-stack', tag]]],
    )
    assert.equal(asText(zone.ofType('Custom::Certificate')[0]!.properties.Stack), tag)
  })

  test('have the certificate of the operator where one is given', () => {
    const own = synthesize(sampleTables, { ...inZone, certificateArn })
    assert.deepEqual([own.ofType('Custom::Certificate'), recordsOf(own, /CNAME/)], [[], []])
    assert.equal(recordsOf(own, /^A+$/).length, 8)
  })
})
