import type { IncomingMessage } from 'node:http'
import { requestIdHeader } from '../../../shared/http/kernel/headers.ts'
import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import { builtConsole } from '../../clients/console/built.ts'
import { consoleFiles, consoleHeaders, PAGE } from '../../clients/console/console-files.ts'
import { CONSOLE_PATH, fileOf } from '../../clients/console/paths.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { sendAnswer } from '../http/send-answer.ts'
import { errorAnswer } from './error-answer.ts'
import type { DeliveryAnswer } from './object-answer.ts'
import { securityLabels } from './security-labels.ts'
import { type StaticFile, staticFile, staticFileAnswer } from './static-file.ts'

type Files = ReadonlyMap<string, StaticFile>

/** Answers with the console, as CloudFront does on AWS. Its files are built and read at the first request. */
export function consoleListener(kernel: Kernel): RequestListener {
  const { cdnUrl, brand } = kernel.settings
  const common = { ...securityLabels(kernel), ...consoleHeaders({ links: new URL(cdnUrl).origin }) }
  const idHeader = requestIdHeader(brand)
  let opened: Promise<Files> | undefined
  return async (request, response, requestId) => {
    try {
      opened ??= openFiles()
      const { headers, ...found } = await answerOf(await opened, request, requestId)
      await sendAnswer(request, response, { ...found, headers: { ...common, [idHeader]: requestId, ...headers } })
    } catch (error) {
      opened = undefined
      kernel.log.error('the console could not be answered with', { id: requestId, error })
      await sendAnswer(request, response, errorAnswer(500, requestId, unavailable))
    }
  }
}

async function openFiles(): Promise<Files> {
  const files = await consoleFiles(await builtConsole())
  return new Map(await Promise.all(files.map(async ({ path, body, ...labels }) => [path, await staticFile(body, labels)] as const)))
}

async function answerOf(files: Files, request: IncomingMessage, requestId: string): Promise<DeliveryAnswer> {
  const { method = 'GET' } = request
  if (method !== 'GET' && method !== 'HEAD') return errorAnswer(405, requestId, readOnly, { allow: 'GET, HEAD' })
  const { path, query } = targetOf(request.url ?? '/')
  if (path === CONSOLE_PATH)
    return { status: 302, headers: { location: `${CONSOLE_PATH}/${query && `?${query}`}`, 'cache-control': 'no-store' } }
  const file = files.get(fileOf(path) ?? PAGE)
  return file ? staticFileAnswer(file, request) : errorAnswer(404, requestId, missing)
}

const readOnly = { code: 'method_not_allowed', message: 'The console can be read, not written.' }
const missing = { code: 'not_found', message: 'The console has no such file.' }
const unavailable = { code: 'internal_error', message: 'The console is not available. The log of the server says why.' }
