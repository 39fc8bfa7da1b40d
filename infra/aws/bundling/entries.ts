import { globSync } from 'node:fs'
import { allUses, type Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { type DocumentSettings, openApiDocument } from '../../../shared/http/openapi/document.ts'
import type { Uses } from '../../../shared/resources.ts'
import { type EventTable, isJob, type NamedFunction, namedFunctions } from '../../../shared/runtime/consumer.ts'
import { type JobGroup, jobGroups } from '../../../shared/runtime/job-groups.ts'
import { type Tool, toolsOf } from '../../../shared/tools/tool.ts'
import { playerSources } from '../../clients/player/player-sources.ts'
import { referenceFiles } from '../../clients/reference/reference-files.ts'
import type { Adapter } from '../grant.ts'
import { grantsOf } from '../grants.ts'
import type { SearchEngineName } from '../search-engines.ts'
import { endpointFunctions } from './endpoint-functions.ts'

/** The two tables that the service consists of. Their keys are file, function and operation name alike: `get-folder`. */
export interface ServiceTables {
  endpoints: Readonly<Record<string, Endpoint>>
  events: EventTable
}

/** The start of a function's bundle. */
export interface Entry {
  /** Names the function and its bundle. */
  name: string
  /** Source text of the entry module; import paths are relative to the project. */
  source: string
  /** Packages that go beside the bundle because they hold native code or data files. */
  tools: readonly Tool[]
}

/** `get-folder` → `getFolder` */
const exportName = (key: string) => key.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The function that makes a Lambda handler of an endpoint or an event function, the subject. */
interface Runner {
  path: string
  name: string
  /** The subject's name in the table, where it takes that too. */
  subjectName?: string
  /** Its further argument, after the subject and the resources that the subject uses. */
  also?: { name: string; adapter: Adapter }
}

/**
 * Code that makes the adapters of `uses`, each once, and the runner's arguments: an object of the declared resources, and its further one.
 * @param uses of all that the function does
 * @throws Error where two of them take different adapters of one resource
 */
function adapters(
  uses: readonly Uses[],
  also: Runner['also'],
  engine: SearchEngineName | undefined,
): { imports: string[]; consts: string[]; given: string } {
  const modules = new Map<string, Set<string>>()
  const consts: string[] = []
  const made = new Map<string, string>()
  const granted = uses.flatMap((each) => grantsOf(each, engine).map(({ name, grant }) => ({ name, adapter: grant.adapter })))
  for (const { name, adapter } of [...granted, ...(also ? [also] : [])]) {
    const before = made.get(name)
    if (before !== undefined && before !== adapter.make)
      throw new Error(`one function has two adapters of "${name}": ${before}, ${adapter.make}`)
    if (before !== undefined) continue
    made.set(name, adapter.make)
    for (const [path, names] of Object.entries(adapter.imports)) {
      const known = modules.get(path) ?? new Set()
      for (const imported of names) known.add(imported)
      modules.set(path, known)
    }
    consts.push(`const ${name} = ${adapter.make}`)
  }
  const imports = [...modules].map(([path, names]) => `import { ${[...names].join(', ')} } from './${path}'`)
  const given = [`{ ${[...new Set(uses.flatMap((each) => Object.keys(each)))].join(', ')} }`, ...(also ? [also.name] : [])].join(', ')
  return { imports, consts, given }
}

function entrySource(subject: { path: string; name: string }, runner: Runner, uses: Uses, engine: SearchEngineName | undefined): string {
  const { imports, consts, given } = adapters([uses], runner.also, engine)
  const { subjectName } = runner
  return [
    `import { ${subject.name} as ${subjectName ? 'declared' : 'subject'} } from './${subject.path}'`,
    `import { ${runner.name} } from './${runner.path}'`,
    ...imports,
    ...(subjectName ? [`const subject = { ...declared, name: '${subjectName}' }`] : []),
    ...consts,
    `export const handler = ${runner.name}(subject, ${given})`,
    '',
  ].join('\n')
}

/** The entry of a function that answers several endpoints. */
function groupSource(subjects: readonly { path: string; name: string }[], uses: Uses, engine: SearchEngineName | undefined): string {
  const { imports, consts, given } = adapters([uses], undefined, engine)
  return [
    ...subjects.map(({ path, name }) => `import { ${name} } from './${path}'`),
    "import { endpointsHandler } from './shared/http/kernel/lambda.ts'",
    ...imports,
    ...consts,
    `export const handler = endpointsHandler([${subjects.map(({ name }) => name).join(', ')}], ${given})`,
    '',
  ].join('\n')
}

/** The resources of jobs: their records, and the start of the next run. infra/aws/stack/job-function.ts sets its environment. */
const runningJobs = {
  name: 'running',
  adapter: {
    imports: { 'shared/backends/table/dynamodb.ts': ['dynamoTable'], 'shared/backends/waker/lambda.ts': ['startRun', 'lambdaClient'] },
    make: '{ table: dynamoTable({ tableName: process.env.TABLE_NAME }), wakeNext: startRun.bind(undefined, process.env.JOB_FUNCTION, lambdaClient()), runs: Number(process.env.JOB_RUNS) }',
  },
} satisfies Runner['also']

/** The entry of a function that does jobs. */
function jobsEntry(
  { name, kinds }: JobGroup,
  subject: (key: string) => { path: string; name: string },
  engine: SearchEngineName | undefined,
): Entry {
  const { imports, consts, given } = adapters(
    kinds.map(({ uses }) => uses),
    runningJobs,
    engine,
  )
  const subjects = kinds.map((kind) => ({ kind: kind.name, ...subject(kind.name) }))
  const source = [
    ...subjects.map(({ path, name }) => `import { ${name} } from './${path}'`),
    "import { jobHandler } from './shared/runtime/job-lambda.ts'",
    ...imports,
    ...consts,
    `const kinds = { ${subjects.map(({ kind, name }) => `'${kind}': ${name}`).join(', ')} }`,
    `export const handler = jobHandler('${name}', kinds, ${given})`,
    '',
  ].join('\n')
  return { name, source, tools: [...new Set(kinds.flatMap(({ uses }) => toolsIn(uses)))] }
}

/** The runner of an event function. */
function eventRunner({ name, trigger }: NamedFunction): Runner {
  const common = { path: 'shared/runtime/lambda.ts', subjectName: name }
  if ('origin' in trigger) return { path: 'shared/runtime/origin-lambda.ts', subjectName: name, name: 'originHandler' }
  if ('batchesOf' in trigger) return { ...common, name: 'batchHandler' }
  return { ...common, name: 'startedHandler' }
}

/** The tools that a function uses, and those that they use. */
function toolsIn(uses: Uses): Tool[] {
  return toolsOf(Object.fromEntries(grantsOf(uses).map(({ name, grant }) => [name, grant])))
}

/** The module of a key, in any folder below functions/. @throws Error when there is none, or more than one */
function modulePath(key: string, projectRoot: string): string {
  const [path, ...others] = globSync(`functions/*/${key}.ts`, { cwd: projectRoot })
  if (!path) throw new Error(`no module functions/*/${key}.ts for the function "${key}"`)
  if (others.length > 0) throw new Error(`${path} and ${others.join(', ')} share a name: names of functions are unique`)
  return path
}

/** The entry of every function of the service. @throws Error when a key of the tables names no module */
export function entriesOf(
  tables: ServiceTables,
  projectRoot: string,
  settings: DocumentSettings & { searchEngine?: SearchEngineName; adoptTable?: string | undefined } & CertificateSettings,
): Entry[] {
  const { searchEngine } = settings
  const subject = (key: string) => ({ path: modulePath(key, projectRoot), name: exportName(key) })
  const endpointRunner = { path: 'shared/http/kernel/lambda.ts', name: 'endpointHandler' }
  const endpoints = endpointFunctions(tables.endpoints).map(({ name, endpoints: answered }) => {
    const keys = Object.keys(answered)
    const [{ uses, ...first }] = Object.values(answered) as [Endpoint]
    const needed = allUses({ ...first, uses })
    const source =
      keys.length === 1 && keys[0] === name
        ? entrySource(subject(name), endpointRunner, needed, searchEngine)
        : groupSource(keys.map(subject), needed, searchEngine)
    return { name, source, tools: toolsIn(uses) }
  })
  const fallback = {
    name: fallbackName,
    source: `import { fallback } from './shared/http/kernel/lambda.ts'\nexport const handler = fallback()\n`,
    tools: [],
  }
  const document = {
    name: documentName,
    source: [
      `import { documentationFunction } from './shared/http/openapi/documentation-lambda.ts'`,
      `export const handler = documentationFunction(${JSON.stringify({
        document: openApiDocument(tables.endpoints, settings),
        files: referenceFiles(),
      })})`,
      '',
    ].join('\n'),
    tools: [],
  }
  const functions = namedFunctions(tables.events)
  const jobs = jobGroups(functions).map((group) => jobsEntry(group, subject, searchEngine))
  const events = functions
    .filter((fn) => !isJob(fn))
    .map((fn) => ({
      name: fn.name,
      source: entrySource(subject(fn.name), eventRunner(fn), fn.uses, searchEngine),
      tools: toolsIn(fn.uses),
    }))
  return [
    ...endpoints,
    document,
    fallback,
    ...jobs,
    ...events,
    ...deploymentEntries(settings),
    ...(searchEngine === 'opensearch' ? [] : [renewEntry()]),
  ]
}

/** The function that answers the documentation routes. Its bundle holds the API document, which is made at synthesis. */
export const documentName = 'api-document'

/** The function that answers requests for no endpoint: unknown paths and methods, and preflights. */
export const fallbackName = 'fallback'

/** The folder of the built console in the package of `prepare-buckets`. */
export const CONSOLE_DIRECTORY = 'console'

/** The function of a custom resource that waits for snapshots of search indexes, where the engine has any. */
export const RENEW_SNAPSHOTS = 'renew-snapshots'
export const renewingUses = { table: 'read', snapshotJobs: 'ask' } as const satisfies Uses

function renewEntry(): Entry {
  const { imports, consts, given } = adapters([renewingUses], undefined, 'embedded')
  const maker = `import { renewSnapshots } from './infra/aws/custom-resources/${RENEW_SNAPSHOTS}.ts'`
  return {
    name: RENEW_SNAPSHOTS,
    source: [maker, ...imports, ...consts, `export const handler = renewSnapshots(${given})`, ''].join('\n'),
    tools: [],
  }
}

/** The operator's settings that say whose certificate host names have. */
interface CertificateSettings {
  hostedZoneId?: string | undefined
  certificateArn?: string | undefined
}

/** Whether the stack has its certificate made: it knows the zone of its names, and is given none. */
export const makesCertificate = ({ hostedZoneId, certificateArn }: CertificateSettings) => Boolean(hostedZoneId && !certificateArn)

/** The functions of custom resources, which run while the stack is created, changed and removed. One brings what the player is made of. */
function deploymentEntries({ adoptTable, ...settings }: { adoptTable?: string | undefined } & CertificateSettings): Entry[] {
  const imports = (name: string) => `import { ${exportName(name)} } from './infra/aws/custom-resources/${name}.ts'\n`
  const handlers = ['make-secrets', ...(adoptTable ? ['adopt-table'] : []), ...(makesCertificate(settings) ? ['make-certificate'] : [])]
  return [
    ...handlers.map((name) => ({ name, source: `${imports(name)}export const handler = ${exportName(name)}\n`, tools: [] })),
    {
      name: 'prepare-buckets',
      source: [
        imports('prepare-buckets').trimEnd(),
        // console-package.ts puts it there.
        `const consoleDirectory = import.meta.dirname + '/${CONSOLE_DIRECTORY}'`,
        `export const handler = prepareBuckets(${JSON.stringify(playerSources())}, consoleDirectory)\n`,
      ].join('\n'),
      tools: [],
    },
  ]
}
