import { keptAddress } from '../../local/data-folder/server-address.ts'
import { baseUrlOf } from '../../local/http/listen-address.ts'
import { readSettings } from '../../local/settings.ts'

/** Settings that say where a server is. */
const NAMED_BY = ['BASE_URL', 'HOST', 'PORT']

/**
 * The address of the server of a data folder: of the one that runs there, whatever this command's settings say; else the one that the next server
 * will have as far as known, with a warning.
 */
export function serverAddress(directory: string, environment: NodeJS.ProcessEnv): { baseUrl: string; warning?: string } {
  const kept = keptAddress(directory)
  if (kept?.isServed) return { baseUrl: kept.baseUrl }
  const isNamed = NAMED_BY.some((name) => environment[name])
  const settings = readSettings(environment)
  const baseUrl = kept && !isNamed ? kept.baseUrl : baseUrlOf(settings, settings.port)
  const source = kept && !isNamed ? 'the last one had BASE_URL' : `${NAMED_BY.join(', ')} of this command say so, or are not set`
  return { baseUrl, warning: `No server runs on ${directory}. The addresses are at ${baseUrl}, because ${source}.` }
}
