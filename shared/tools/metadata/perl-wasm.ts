/**
 * Runs a Perl script with Perl compiled to WebAssembly (zeroperl), in its own process: `node perl-wasm.ts <zeroperl.wasm> <script>
 * [arguments]`. Uses the process's standard streams and the machine's files, so it replaces `perl`.
 */
import { readFile } from 'node:fs/promises'
import { WASI } from 'node:wasi'

interface Zeroperl {
  memory: { buffer: ArrayBuffer }
  __stack_pointer: { value: number }
  malloc(bytes: number): number
  zeroperl_init(): number
  zeroperl_run_file(path: number, argc: number, argv: number): number
  zeroperl_flush(): number
}

/** The part of the WebAssembly interface used here. Its types belong to those of browsers, which this project doesn't load. */
interface WebAssemblyLoader {
  instantiate(module: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>
}

// biome-ignore lint/style/noRestrictedGlobals: types of Node don't name it
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyLoader }
const [, , wasm, script, ...args] = process.argv
if (!wasm || !script) throw new Error('usage: node perl-wasm.ts <zeroperl.wasm> <script> [arguments]')

const wasi = new WASI({
  version: 'preview1',
  args: ['perl'],
  env: { LC_ALL: 'C', TZ: 'UTC' },
  // Perl's own library is inside the module. It needs the disk for /dev/null, the script and the files to read.
  preopens: { '/': '/' },
})
const { instance } = await WebAssembly.instantiate(await readFile(wasm), {
  ...wasi.getImportObject(),
  env: { call_host_function: () => 0 },
})
wasi.initialize(instance)
const perl = instance.exports as Zeroperl

/** Copies a zero-terminated string into Perl's memory, for the life of the process. */
function string(text: string): number {
  const bytes = Buffer.from(`${text}\0`)
  const address = perl.malloc(bytes.length)
  new Uint8Array(perl.memory.buffer).set(bytes, address)
  return address
}

function strings(texts: readonly string[]): number {
  const addresses = [...texts.map(string), 0]
  const array = perl.malloc(addresses.length * 4)
  const view = new DataView(perl.memory.buffer)
  for (const [index, address] of addresses.entries()) view.setUint32(array + index * 4, address, true)
  return array
}

/**
 * Size of Perl's stack, in bytes. The module's own has 8 MiB and loses about 500 bytes with each exception that a script catches; ExifTool
 * throws one for each value that it writes. This size suffices for 500 files with 1,000 keywords in XMP and IPTC each. Unused pages take no
 * memory.
 */
const STACK = 512 * 1024 ** 2
perl.__stack_pointer.value = perl.malloc(STACK) + STACK

if (perl.zeroperl_init() !== 0) throw new Error('Perl does not start')
try {
  process.exitCode = perl.zeroperl_run_file(string(script), args.length, strings(args)) === 0 ? 0 : 1
  perl.zeroperl_flush()
} catch (error) {
  // Perl's `exit` throws a symbol. It is never `exit 0`, because ExifTool stays open until its input ends.
  if (typeof error !== 'symbol') throw error
  process.exitCode = 1
}
