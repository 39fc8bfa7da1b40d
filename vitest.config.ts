import { availableParallelism } from 'node:os'
import type { ProvidedContext } from 'vitest'
import { defineConfig } from 'vitest/config'
import './infra/preflight.cjs'
import AvailableFiles from './test/support/available-files.ts'
import { keepTemporaryFilesInMemory } from './test/support/temporary-folder.ts'

keepTemporaryFilesInMemory()

const journeys = ['test/every-endpoint.test.ts', 'test/journeys/*.test.ts']

/** Journeys that meet a service of AWS besides the table. What the others ask of handlers is proved on one machine: they are the same code. */
const deployedJourneys = [
  ...['bodies', 'bulk', 'downloads', 'health', 'multipart-uploads', 'password-reset', 'profile-images', 'quota', 'replaced-file'],
  ...['search', 'share-link-downloads', 'share-link-uploads', 'subtitles', 'upload', 'zips'],
].map((name) => `test/journeys/${name}.test.ts`)

/** Files that change the process they run in, or measure it: each has one of its own. */
const ownProcess = [
  'test/events/lambda.test.ts',
  'test/tools/default-profile-image.test.ts',
  'test/tools/imaging/profile-image-process.test.ts',
  'test/tools/processes/module-process.test.ts',
]

/** What depends on tools, users, paths, clocks and languages of the machine: .ci/surroundings runs it where those are unusual. */
const surroundings = {
  include: [
    ...['admin', 'aws/{bundling,deploy}', 'clients/{cli,client,console}', 'local'].map((folder) => `test/infra/${folder}/**/*.test.ts`),
    'test/infra/*.test.ts',
    'test/infra/aws/bundling/*.synth.ts',
    'test/infra/clients/client/package.proof.ts',
    'test/infra/local/lifecycle.proof.ts',
    ...['archive', 'metadata', 'processes', 'video'].map((folder) => `test/tools/${folder}/**/*.test.ts`),
    'test/tools/imaging/{hostile-files,link-picture-process,profile-image-process}.test.ts',
    'test/backends/{disk,mail,transcoder}/*.test.ts',
    'test/library/time.test.ts',
    'test/journeys/{health,video}.test.ts',
    'test/support/*.test.ts',
    'test/console/uploads.browser.ts',
  ],
  exclude: [
    'test/infra/admin/upkeep/check.test.ts',
    'test/infra/clients/cli/{commands,upload}.test.ts',
    'test/infra/clients/client/client.test.ts',
    'test/infra/local/{http,delivery/links,search}/*.test.ts',
    'test/infra/local/{stock-provider,trickling}.test.ts',
    'test/infra/aws/bundling/readable.synth.ts',
    ...ownProcess,
  ],
}

const isolatedSurroundings = [
  'test/infra/aws/bundling/readable.synth.ts',
  'test/infra/local/data-folder/data-folder.proof.ts',
  ...ownProcess.filter((file) => file.endsWith('process.test.ts')),
]

/** Proofs that take minutes and seldom find anything. */
const thorough = ['test/infra/aws/cost/calls.proof.ts', 'test/tools/fuzz.proof.ts', 'test/library/imports/large-files.proof.ts']

/** Of tests that install, deploy, kill, or make gigabytes. */
const minutes = { testTimeout: 600_000, hookTimeout: 600_000 }

type Engine = NonNullable<ProvidedContext['engine']>

/** Suites of AWS adapters over an engine. They mostly wait for it, so more of them run at a time than there are processors. */
function overEngine(engine: Engine, include: string[], exclude: string[] = []) {
  return {
    extends: true as const,
    test: {
      name: `aws-${engine}`,
      include,
      exclude,
      globalSetup: 'test/support/aws/global-setup.ts',
      provide: { engine },
      ...minutes,
      maxWorkers: 4,
      maxConcurrency: 100,
      sequence: { groupOrder: 1 },
    },
  }
}

/** Suites of tables and buckets, but for copies and upload forms: ministack models these better. */
const storageSuites = [
  'test/backends/table/*.aws.ts',
  'test/backends/objects/{faults,s3,s3-parts,s3-reader}.aws.ts',
  'test/library/**/*.aws.ts',
]
const openSearchSuites = ['test/backends/search/opensearch*.aws.ts']

/** A step of the rehearsal. Those after the first have the stack for themselves: they break it, change it, and take it away. */
function rehearsal(step: number, name: string, include: string[]) {
  return {
    extends: true as const,
    test: {
      name: `rehearsal-${name}`,
      include,
      globalSetup: 'test/rehearsal/global-setup.ts',
      ...minutes,
      sequence: { groupOrder: 10 + step },
    },
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Half as many again as there are processors, because tests wait for a quarter of their time: for disks, children and timers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Runs that tests start count for themselves.
    env: { TEST_COUNTS: '' },
    // What needs more says so at the test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // A moment of load refuses no change. The counts reporter names the tests that it disturbed, and .ci/run fails when they are more than three.
    retry: process.env.CI ? { count: 2, delay: 10_000 } : 0,
    // The counts reporter makes a failure of it, but where this machine can't have what the tests need.
    passWithNoTests: true,
    slowTestThreshold: 10_000,
    reporters: ['default', './test/support/counts-reporter.ts'],
    sequence: { sequencer: AvailableFiles },
    // Files that no test loads count as well. What children of tests run doesn't.
    coverage: {
      provider: 'v8',
      include: ['functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'dist/coverage',
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...ownProcess, ...journeys], isolate: false } },
      { extends: true, test: { name: 'unit-isolated', include: ownProcess } },
      { extends: true, test: { name: 'journeys', include: journeys, isolate: false } },
      { extends: true, test: { name: 'surroundings', ...surroundings, isolate: false, ...minutes, expect: { poll: { timeout: 60_000 } } } },
      { extends: true, test: { name: 'surroundings-isolated', include: isolatedSurroundings, ...minutes } },
      { extends: true, test: { name: 'proofs', include: ['test/**/*.proof.ts'], exclude: thorough, ...minutes } },
      { extends: true, test: { name: 'synth', include: ['test/**/*.synth.ts'], ...minutes } },
      { extends: true, test: { name: 'document', include: ['test/document/*.document.ts'], ...minutes } },
      {
        extends: true,
        test: {
          name: 'thorough',
          include: [...thorough, 'test/{document,installation}/*.{document,installation}.ts'],
          maxConcurrency: 2,
          provide: { thorough: true },
          ...minutes,
        },
      },
      { extends: true, test: { name: 'installation', include: ['test/installation/*.installation.ts'], maxConcurrency: 2, ...minutes } },
      {
        extends: true,
        test: { name: 'console', include: ['test/console/*.browser.ts'], expect: { poll: { timeout: 60_000 } }, ...minutes },
      },
      { extends: true, test: { name: 'browser', include: ['test/browser/*.browser.ts'], ...minutes } },
      overEngine('ministack', ['test/**/*.aws.ts'], [...storageSuites, ...openSearchSuites]),
      overEngine('storage', storageSuites),
      overEngine('openSearch', openSearchSuites),
      rehearsal(0, 'serving', [...deployedJourneys, 'test/rehearsal/serving/*.rehearsal.ts']),
      ...['aftermath', 'seldom', 'interrupted', 'update', 'second-stack', 'destroy', 'permissions'].map((name, index) =>
        rehearsal(1 + index, name, [`test/rehearsal/${name}.rehearsal.ts`]),
      ),
    ],
  },
})
