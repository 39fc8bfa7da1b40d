/**
 * Who may import whom, types included: functions → library → ports. `npm run lint` holds the project to it, and
 * test/dependencies.test.ts holds these rules to what they say.
 */

/** The domain's folders from the ground up: a folder may import those of lower floors, and on its own floor what makes no cycle. */
const floors = [
  ['concurrency'],
  ['jobs'],
  ['mail'],
  ['tree'],
  ['usage'],
  ['brands'],
  ['accounts'],
  ['quota'],
  ['access'],
  ['presets'],
  ['media'],
  ['links'],
  ['videos'],
  [
    'folders',
    'cliques',
    'uploads',
    'imports',
    'downloads',
    'zips',
    'search',
    'index-snapshots',
    'trash',
    'suggestions',
    'shares',
    'sign-on',
    'versions',
    'history',
  ],
  ['bulk'],
  ['stock'],
  ['removals'],
  ['people'],
  ['events'],
  ['feed'],
  ['webhooks'],
  ['check', 'sealed', 'company-removal', 'transfer'],
]

/** Below all floors: the words that ports share with the domain. */
const vocabulary = '^shared/vocabulary/'

const library = (folders) => `^shared/library/(${folders.flat().join('|')})/`

const floorRules = floors.slice(0, -1).map((floor, level) => ({
  name: `floor-${floor.length > 1 ? 'use-cases' : floor[0]}`,
  comment: 'Lower floors of the domain know nothing of higher ones.',
  severity: 'error',
  from: { path: library([floor]) },
  to: { path: library(floors.slice(level + 1)) },
}))

const rules = [
  {
    name: 'no-cycle-of-files',
    comment: 'Files that import each other can only be understood together.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-cycle-of-folders',
    comment: 'Nor can folders. A folder and the folders inside of it are one.',
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
  {
    name: 'every-import-is-found',
    comment:
      'The other rules see nothing of an import that leads nowhere. (aws-lambda has types only, cloudfront is there at the edge only, types of the API are made by npm run typecheck.)',
    from: {},
    to: { couldNotResolve: true, pathNot: '^(aws-lambda|cloudfront)$|/dist/api\\.d\\.ts$' },
  },
  {
    name: 'infra-is-the-top',
    comment: 'What is deployed and run knows nothing of how.',
    from: { path: '^(functions|shared)/' },
    to: { path: '^infra/' },
  },
  {
    name: 'functions-above-shared',
    comment: 'What functions share knows none of them.',
    from: { path: '^shared/' },
    to: { path: '^functions/' },
  },
  {
    name: 'functions-over-ports',
    comment: 'A function receives what it declares to use: it may name what a port is, never make one.',
    from: { path: '^functions/' },
    to: { path: '^shared/backends/', pathNot: '/port\\.ts$' },
  },
  {
    name: 'http-over-ports',
    comment:
      'The kernel hands functions what they declare to use, whatever adapter is behind it. It may defer what they write to the table.',
    from: { path: '^shared/http/' },
    to: { path: '^shared/backends/', pathNot: '/(port|table/deferred)\\.ts$' },
  },
  {
    name: 'declarations-below-the-kernel',
    comment: 'What endpoints are declared with carries nothing of what answers for them.',
    from: { path: '^shared/http/(protocol|declaration)/' },
    to: { path: '^shared/http/(kernel|openapi)/' },
  },
  {
    name: 'library-over-ports',
    comment: 'The domain works on ports, whatever adapter is behind them. Reading in ranges works over the port, too.',
    from: { path: '^shared/library/' },
    to: { path: '^shared/backends/', pathNot: '/(port|objects/ranged-reading)\\.ts$' },
  },
  {
    name: 'library-without-protocols',
    comment: 'The domain answers no request and consumes no event: those who do call it.',
    from: { path: '^shared/library/' },
    to: { path: '^shared/(http|events)/' },
  },
  {
    name: 'library-without-files',
    comment: 'Temporary files of a job are in its workspace (shared/tools/workspace.ts), all else is in a port.',
    from: { path: '^shared/library/' },
    to: { dependencyTypes: ['core'], path: '^(node:)?(fs|os|path|child_process|worker_threads|sqlite|http|https|net|tls)(/|$)' },
  },
  {
    name: 'library-has-floors',
    comment: 'A new folder of the domain gets its floor in this file.',
    from: { path: '^shared/library/[^/]+/', pathNot: library(floors) },
    to: {},
  },
  {
    name: 'floor-ground',
    comment: 'The files that lie directly in shared/library are below all of its folders.',
    from: { path: '^shared/library/[^/]+\\.ts$' },
    to: { path: library(floors) },
  },
  {
    name: 'media-has-one-writer',
    comment: 'Only its folder writes where files are in the table, by its changes; the check reads all that is there.',
    from: { path: '^(functions|infra|shared)/', pathNot: '^shared/library/(media|check)/' },
    to: { path: '^shared/library/media/(keys|changes)\\.ts$' },
  },
  {
    name: 'vocabulary-alone',
    comment: 'Ports speak the vocabulary of the domain, so it must bring nothing else along.',
    from: { path: vocabulary },
    to: { path: '^(shared|functions|infra)/', pathNot: vocabulary },
  },
  {
    name: 'backends-below-the-domain',
    comment: 'Of the domain, ports and adapters know the vocabulary alone.',
    from: { path: '^shared/backends/' },
    to: { path: '^shared/(library|http|events|tools)/', pathNot: vocabulary },
  },
  {
    name: 'tools-below-the-domain',
    comment: 'A tool works on files, whoever they belong to.',
    from: { path: '^shared/tools/' },
    to: { path: '^shared/(library|http|events|backends)/', pathNot: vocabulary },
  },
  {
    name: 'tools-are-handed-in',
    comment: 'A function receives the tools that it declares to use, and hands them on: it may name what a tool is, never make one.',
    from: { path: '^(functions|shared/(library|http|events))/' },
    to: {
      path: '^shared/tools/(metadata/exiftool|video/probe|imaging/(render|profile-image-process|link-picture|link-picture-process|master))\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'aws-in-adapters',
    comment: 'AWS clients are made in adapters and by deployment alone.',
    from: { pathNot: '^(shared/backends|infra)/' },
    to: { path: '(^|node_modules/)(@aws-sdk|@smithy|aws-cdk-lib)/' },
  },
  {
    name: 'operators-command-alone',
    comment: 'Programs of users are clients: what the service and its operator share with them lies in shared/.',
    from: { path: '^infra/', pathNot: '^infra/clients/' },
    to: { path: '^infra/clients/(cli|client)/' },
  },
  {
    name: 'local-server-alone',
    comment: 'The server of one machine runs without packages of development, and CDK, esbuild and the SDK are such.',
    from: { path: '^infra/local/' },
    to: {
      path: '(^|node_modules/)(@aws-sdk|@smithy|aws-cdk-lib|constructs|esbuild)/|^infra/aws/',
    },
  },
]

export default {
  forbidden: [...rules.map((rule) => ({ severity: 'error', ...rule })), ...floorRules],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // It is made of public calls alone: test/infra/clients/console/build.test.ts.
    exclude: { path: '^infra/clients/console/app/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
