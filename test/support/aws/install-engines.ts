import { EngineUnavailable, leaveAws } from './engine.ts'
import { engines } from './engines.ts'

/**
 * `npm run test:engines`: installs every engine into the cache folder and starts it once, so that no suite's time pays for builds. An engine
 * that this machine can't have is named; its suites are skipped.
 */
leaveAws()
for (const engine of Object.values(engines)) {
  try {
    const { stop } = await engine.start()
    await stop()
    console.log(`${engine.name} ${engine.version} starts`)
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    console.log(`${engine.name} is not available on this machine: ${error.message}`)
  }
}
