import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { Console } from '../../homes/terminal.ts'
import { verb } from '../command.ts'
import { filesOfCloudinary } from './converters/cloudinary.ts'
import { manifestLine } from './converters/described-file.ts'
import { filesOfDirectus } from './converters/directus.ts'
import { filesOfResourceSpace } from './converters/resourcespace.ts'

const systems = { directus: filesOfDirectus, resourcespace: filesOfResourceSpace, cloudinary: filesOfCloudinary }

/** `convert` */
export function convertCommand(program: Command, console: Console): void {
  verb(program, 'convert', 'print the manifest of an import, made of what another system tells of its files', [
    'convert files.json folders.json --from directus > manifest.jsonl',
    'convert resources.csv --from resourcespace > manifest.jsonl',
    'convert images.json videos.json --from cloudinary > manifest.jsonl',
  ])
    .argument('<file...>', 'what the other system has exported')
    .addOption(new Option('--from <system>', 'which one').choices(Object.keys(systems)).makeOptionMandatory())
    .addHelpText('after', HELP)
    .action(async (files: string[], { from }: { from: keyof typeof systems }) => {
      try {
        const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
        for (const file of systems[from](texts)) console.out(manifestLine(file))
      } catch (error) {
        throw new Error(`${files.join(', ')} can't be converted: ${(error as Error).message.split('\n')[0]}`, { cause: error })
      }
    })
}

const HELP = `
Each line of the manifest is a JSON value. Its path says where "import" looks for the file, below its source:
  directus        filename_disk, as storage has it. Files: JSON of GET /files?limit=-1 and of GET /folders?limit=-1
  resourcespace   RS1234_NAME.EXT, as downloads name it. Files: CSV of resources with their metadata
  cloudinary      PUBLIC_ID.FORMAT, as archives that keep folders have it. Files: JSON of the Admin API's pages, with tags and context`
