import { defineConfig } from 'vitest/config'

/** The deployed service is tested by the very journeys that test the server of one machine. */
const journeys = ['test/every-endpoint.test.ts', 'test/journeys/*.test.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Generous, so that no test fails because the machine is busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    reporters: ['default', './test/support/counts-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: journeys } },
      { extends: true, test: { name: 'journeys', include: journeys } },
      { extends: true, test: { name: 'document', include: ['test/document/*.document.ts'], testTimeout: 600_000, hookTimeout: 900_000 } },
      // Each case of a contract waits for a real engine: they run side by side.
      { extends: true, test: { name: 'aws', include: ['test/**/*.aws.ts'], maxConcurrency: 100 } },
      { extends: true, test: { name: 'rehearsal', include: [...journeys, 'test/rehearsal/**/*.rehearsal.ts'], testTimeout: 900_000 } },
    ],
  },
})
