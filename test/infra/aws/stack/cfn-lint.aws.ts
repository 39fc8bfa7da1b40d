import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events, openSearchEvents } from '../../../../functions/events.ts'
import { regions } from '../../../../infra/aws/deploy/regions.ts'
import { pythonWith } from '../../../support/aws/python-environment.ts'
import { sampleTables } from './sample-tables.ts'
import { adoptedSettings, type Json, openSearchSettings, ownHosts, templatesOf } from './synthesized.ts'

/** Rules of cfn-lint that don't hold here, each with why. */
const accepted: Readonly<Record<string, string>> = {
  W3005: 'CDK orders every function after its role in so many words, although the reference does so already.',
}

/** As cfn-lint knows it. */
const WITHOUT_MEDIACONVERT = 'eu-south-1'
/** Names whose certificate and records the stack makes. */
const inZone = { ...ownHosts, certificateArn: '', hostedZoneId: 'Z0123456789ABCDEFGHIJ' }

/**
 * Templates that must be right. A setting changes no shape of a function, so what settings change is linted of a few functions: cfn-lint takes two
 * minutes for all of them.
 */
const right: Readonly<Record<string, Json[]>> = {
  'the service': templatesOf({ endpoints, events }),
  'a stack in production, under host names of its own, with a provider of stock': templatesOf(sampleTables, {
    retain: 'true',
    alarmEmail: 'operator@example.com',
    dashboard: true,
    ...inZone,
    stockProviderUrl: 'https://stock.example.com',
    stockProviderKeyArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:stock-AbCdEf',
  }),
  'a stack with the search engine OpenSearch': templatesOf({ ...sampleTables, events: openSearchEvents }, openSearchSettings),
  'a stack with data that an earlier one kept': templatesOf(sampleTables, adoptedSettings),
}

/** Of every type that a right template has: what CloudFormation can make differs between regions by types. */
const oneOfEachType: Json = {
  Resources: Object.fromEntries(
    Object.values(right)
      .flat()
      .flatMap(({ Resources }) => Object.values<Json>(Resources))
      .map(({ Type }) => [Type.replaceAll(/\W/g, ''), { Type }]),
  ),
}

const fn = { Runtime: 'nodejs24.x', Handler: 'index.handler', Code: { ZipFile: '0' }, Role: 'arn:aws:iam::123456789012:role/library' }

/** What CloudFormation or a service would refuse halfway through a deployment: rules that find it in a resource. */
const wrong: Readonly<Record<string, Json>> = {
  E1010: { Type: 'AWS::Lambda::Function', Properties: { ...fn, Role: { 'Fn::GetAtt': ['Nobody', 'Arn'] } } },
  E3002: { Type: 'AWS::Lambda::Function', Properties: { ...fn, Retention: 5 } },
  E3034: { Type: 'AWS::Lambda::Function', Properties: { ...fn, MemorySize: 64 } },
  E3006: { Type: 'AWS::SNS::Subject' },
}

describe('cfn-lint', () => {
  /** What it found, `rule message`, by the name of the template. */
  const found = new Map<string, string[]>()
  /** Types of resources that some region lacks, as it says so. */
  const missing: string[] = []

  beforeAll(async () => {
    const python = await pythonWith('cfn-lint', '1.58.0')
    const folder = await mkdtemp(join(tmpdir(), 'cfn-lint-'))
    try {
      const spoilt = Object.entries(wrong).map(([rule, resource]) => [rule, { Resources: { Wrong: resource } }] as const)
      const named = [...Object.entries(right).flatMap(([name, templates]) => templates.map((each) => [name, each] as const)), ...spoilt]
      const files = named.map((_, at) => join(folder, `${at}.json`))
      await Promise.all(files.map((file, at) => writeFile(file, JSON.stringify(named[at]![1]))))
      for (const [name] of named) found.set(name, [])
      for (const { Filename, Rule, Message } of await lint(python, files, ['eu-west-1'])) {
        found.get(named[Number.parseInt(basename(Filename), 10)]![0])!.push(`${Rule.Id} ${Message}`)
      }
      const types = join(folder, 'types.json')
      await writeFile(types, JSON.stringify(oneOfEachType))
      for (const { Rule, Message } of await lint(python, [types], [...regions, WITHOUT_MEDIACONVERT])) {
        if (Rule.Id === 'E3006') missing.push(Message)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    // Some twenty templates of hundreds of resources, on a machine that does other things besides.
  }, 1_400_000)

  test.each(Object.keys(right))('finds nothing in %s', (name) => {
    assert.deepEqual(
      found.get(name)!.filter((each) => accepted[each.split(' ')[0]!] === undefined),
      [],
    )
  })

  test.each(Object.keys(wrong))('finds what is wrong by rule %s', (rule) => {
    assert.ok(found.get(rule)!.some((each) => each.startsWith(`${rule} `)))
  })

  test('finds every type of resource in every region that the manual promises, and says where one is missing', () => {
    const places = missing.map((message) => message.match(/\b[a-z]{2}-[a-z]+-\d\b/)?.[0])
    assert.deepEqual([...new Set(places)], [WITHOUT_MEDIACONVERT], missing.join('; '))
    assert.ok(missing.some((message) => message.includes('AWS::MediaConvert::Queue')))
  })

  test('what is accepted is found: else it would not have to be', () => {
    const rules = new Set([...found.values()].flat().map((each) => each.split(' ')[0]!))
    for (const rule of Object.keys(accepted)) assert.ok(rules.has(rule), rule)
  })
})

interface Finding {
  Filename: string
  Rule: { Id: string }
  Message: string
}

async function lint(python: string, files: string[], places: readonly string[]): Promise<Finding[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Finding[]>()
  const options = ['-c', 'from cfnlint.runner import main; main()', '--format', 'json', '--regions', ...places, '--', ...files]
  // Its exit code tells what it found; that it failed is told by an output that is no list.
  execFile(python, options, { maxBuffer: 64 * 1024 ** 2, timeout: 1_200_000 }, (error, stdout, stderr) => {
    try {
      resolve(JSON.parse(stdout))
    } catch {
      reject(new Error(`cfn-lint failed: ${stderr}`, { cause: error }))
    }
  })
  return promise
}
