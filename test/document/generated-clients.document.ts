import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { goModule, goProgram } from '../support/aws/go-program.ts'
import { javaProgram } from '../support/aws/java-program.ts'
import { pythonWith } from '../support/aws/python-environment.ts'
import { isThorough } from '../support/thorough.ts'

const programs = join(import.meta.dirname, 'generated')

/** What the Java client is compiled against; it says so in its own build file. */
const javaParts = [
  { group: 'com.squareup.okhttp3', name: 'logging-interceptor', version: '4.12.0' },
  { group: 'com.google.code.gson', name: 'gson', version: '2.10.1' },
  { group: 'io.gsonfire', name: 'gson-fire', version: '1.9.0' },
  { group: 'jakarta.annotation', name: 'jakarta.annotation-api', version: '1.3.5' },
  { group: 'com.google.code.findbugs', name: 'jsr305', version: '3.0.2' },
  { group: 'org.openapitools', name: 'jackson-databind-nullable', version: '0.2.8' },
  { group: 'org.apache.commons', name: 'commons-lang3', version: '3.18.0' },
  { group: 'jakarta.ws.rs', name: 'jakarta.ws.rs-api', version: '2.1.6' },
]
const generator = { group: 'org.openapitools', name: 'openapi-generator-cli', version: '7.17.0' }
const okHttp = { group: 'com.squareup.okhttp3', name: 'okhttp', version: '4.12.0' }
const ogen = { source: 'github.com/ogen-go/ogen', version: 'v1.24.0' }

const python = await toolOrSkip('openapi-python-client', () => pythonWith('openapi-python-client', '0.29.1'))
/** Clients that are compiled, which takes minutes. */
const compiled = isThorough && {
  java: await toolOrSkip('openapi-generator', async () => ({
    generator: (await javaProgram(generator)).classPath,
    libraries: (await javaProgram(okHttp, { parts: javaParts })).classPath,
  })),
  go: await toolOrSkip('ogen', async () => ({
    generator: await goProgram('ogen', `${ogen.source}/cmd/ogen`, ogen.version),
    module: await goModule('client', ogen.source, ogen.version, ['conv', 'http', 'json', 'ogenerrors', 'ogenregex', 'uri', 'validate']),
  })),
}

describe('clients that generators make of the document', () => {
  let folder: string
  let server: Server
  const document = openApiDocument(endpoints, defaultSettings)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-clients-'))
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
    server = importing()
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(async () => {
    server.close()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
    promisify(execFile)(program, args, { cwd: folder, timeout: 300_000, maxBuffer: 64 * 1024 ** 2, ...options })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const followed = '40\nharbour.jpg\n'

  if (compiled) {
    const { java, go } = compiled

    test('Java (openapi-generator) compiles, tells an import from its document, and takes fields that are new', java.skip, async () => {
      const { generator, libraries } = java.tool!
      // Without this option the generated client refuses fields that it doesn't know.
      const tolerant = '--additional-properties=disallowAdditionalPropertiesIfNotPresent=false'
      const generate = ['generate', '-i', 'openapi.json', '-g', 'java', '-o', 'java', tolerant]
      await run('java', ['-cp', generator, 'org.openapitools.codegen.OpenAPIGenerator', ...generate])
      const sources = await Array.fromAsync(glob(join(folder, 'java/src/main/java/**/*.java')))
      assert.ok(sources.length > 50)
      await writeFile(join(folder, 'sources'), [...sources, join(programs, 'Program.java')].join('\n'))
      await run('javac', ['-nowarn', '-cp', libraries, '-d', 'classes', '@sources'])
      const { stdout } = await run('java', ['-cp', `classes:${libraries}`, 'Program', address()])
      assert.equal(stdout, followed)
    })

    test('Go (ogen) compiles, and tells an import from its document', go.skip, async () => {
      const { generator, module } = go.tool!
      const cwd = join(folder, 'go')
      await cp(module.directory, cwd, { recursive: true })
      await cp(join(programs, 'program.go'), join(cwd, 'program.go'))
      const config = { generator: { features: { enable: ['paths/client'], disable_all: true } } }
      await writeFile(join(cwd, 'ogen.yml'), JSON.stringify(config))
      await run(generator, ['--target', 'api', '--package', 'api', '--config', 'ogen.yml', join(folder, 'openapi.json')], { cwd })
      await run('go', ['build', '-o', 'program', '.'], { cwd, env: module.env })
      const { stdout } = await run(join(cwd, 'program'), [address()])
      assert.equal(stdout, followed)
    })
  }

  test('Python (openapi-python-client) loads, and tells an import from its document', python.skip, async () => {
    // The generator knows bytes by one media type.
    const bytes = {
      'image/jpeg': 'application/octet-stream',
      'text/vtt': 'application/octet-stream',
      'application/x-subrip': 'application/octet-stream',
    }
    await writeFile(join(folder, 'python.json'), JSON.stringify({ content_type_overrides: bytes, post_hooks: [] }))
    const generate = 'generate --path openapi.json --config python.json --output-path client --meta none --fail-on-warning'
    await run(python.tool!, ['-m', 'openapi_python_client', ...generate.split(' ')])
    const { stdout } = await run(python.tool!, [join(programs, 'program.py'), address()], { env: { ...process.env, PYTHONPATH: folder } })
    assert.equal(stdout, followed)
  })

  /** Answers with the examples of the document, by turns: while a file is imported, and then. */
  function importing(): Server {
    const { responses } = document.paths['/media/{id}']!.get as {
      responses: Record<string, { content: Record<string, { example: object }> }>
    }
    let asked = 0
    return createServer((_, response) => {
      const status = asked++ % 2 === 0 ? 202 : 200
      const { example } = responses[status]!.content['application/json']!
      response.writeHead(status, { 'content-type': 'application/json', 'x-svc-request-id': 'r-1' })
      response.end(JSON.stringify({ ...example, ...(status === 200 && { new_field: 1 }) }))
    })
  }
})
