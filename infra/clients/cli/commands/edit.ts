import { type Command, Option } from 'commander'
import { entriesIn, type FieldEntry, isByLanguage, madeOfFields } from '../../../../shared/vocabulary/editable-fields.ts'
import { type Point, pointIn } from '../../../../shared/vocabulary/point.ts'
import type { Schemas } from '../../client/client.ts'
import { Bulk } from '../bulk.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, mediaIdsOf } from '../folders.ts'

/** By the library's names of fields, and of keywords `addKeywords` and the like. */
interface Options {
  lang: string
  search?: string
  in?: string
  undo?: string
  [option: string]: string | string[] | undefined
}

/** How a field is edited. */
interface Edited {
  options: Option[]
  /** @returns undefined where it stays */
  change(options: Options): unknown
}

const optionName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A field that one option sets. */
function byOption(
  { field }: FieldEntry,
  value: string,
  help: string | undefined,
  change: (text: string, options: Options) => unknown,
): Edited {
  return {
    options: [new Option(`--${optionName(field)} <${value}>`, help)],
    change(options) {
      const text = options[field] as string | undefined
      return text === undefined ? undefined : change(text, options)
    },
  }
}

const help = {
  expiration_date: 'such as 2027-12-31; an empty text: never',
  focal_point: 'what cuts of pictures keep, such as 0.5,0.25 from the left and the top; none: nothing in particular',
} satisfies { [Name in FieldEntry<'day' | 'point'>['name']]: string }

/** The fields that are edited, in the order of their options. */
const edited: Readonly<Record<string, Edited>> = madeOfFields('manifest', {
  texts: (entry) => byOption(entry, 'text', undefined, (text, { lang }) => ({ [lang]: text || null })),
  line: (entry) => byOption(entry, 'text', undefined, (text) => text || null),
  day: (entry: FieldEntry<'day'>) => byOption(entry, 'date', help[entry.name], (text) => text || null),
  point: (entry: FieldEntry<'point'>) => byOption(entry, 'x,y', help[entry.name], (text) => pointOf(`--${optionName(entry.field)}`, text)),
  keywords({ field }: FieldEntry<'keywords'>): Edited {
    const optionOf = (verb: string, about?: string) => new Option(`--${verb}-${optionName(field)} <word...>`, about)
    const [adding, removing] = [optionOf('add'), optionOf('remove')]
    const setting = optionOf('set', 'these alone').conflicts([adding.attributeName(), removing.attributeName()])
    return {
      options: [adding, removing, setting],
      change(options) {
        const [add, remove, replace] = [adding, removing, setting].map((each) => options[each.attributeName()] as string[] | undefined)
        if (replace) return { [options.lang]: { replace: replace.filter(Boolean) } }
        return add || remove ? { [options.lang]: { ...(add && { add }), ...(remove && { remove }) } } : undefined
      },
    }
  },
})

const inLanguages = entriesIn('manifest').flatMap(({ field }) => (isByLanguage(field) ? [optionName(field)] : []))

export function editCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('edit')
    .description('change the metadata of files; an empty text clears a field')
    .argument('[ID...]', 'ids of files')
    .option('--search <terms>', 'all files that match')
    .option('--in <FOLDER>', 'all files in this folder and below it')
  for (const option of Object.values(edited).flatMap(({ options }) => options)) command.addOption(option)
  command
    .option('--lang <code>', `language of ${new Intl.ListFormat('en-GB').format(inLanguages)}`, 'en')
    .option('--undo <JOB>', 'put back what an earlier change has changed')
    .action(signedIn<Options>(surroundings, edit))
}

async function edit(session: Session, args: readonly string[], options: Options): Promise<void> {
  const bulk = new Bulk(session)
  if (options.undo !== undefined) await bulk.undo(options.undo)
  else if (args.length > 0) await bulk.change(mediaIdsOf(args), changeOf(options))
  else await bulk.begin(await searchOf(session, options), changeOf(options))
  bulk.report()
}

/** The files of a search, and how many it finds now. */
async function searchOf({ library }: Session, { search, in: within }: Options): Promise<Schemas['BulkSelection']> {
  if (search === undefined && within === undefined) throw new Failure(exitCodes.usage, 'Say which files: ids, --search or --in.')
  const folder = within === undefined ? undefined : (await findFolder(library, within)).id
  const parameters = {
    ...(search !== undefined && { q: search }),
    ...(folder !== undefined && { folder_ids: String(folder), recursive: 'true' }),
  }
  const query = { ...parameters, return_values: ['unique_media_id'], media_count: 0 }
  const { response } = await library.get('/search', { params: { query: query as never } })
  return { search: parameters, expect: response.hits }
}

function changeOf(options: Options): Schemas['BulkChange'] {
  const changes = Object.entries(edited).map(([name, field]) => [name, field.change(options)])
  const change = Object.fromEntries(changes.filter(([, value]) => value !== undefined))
  if (Object.keys(change).length === 0) throw new Failure(exitCodes.usage, 'Say what to change, such as --title.')
  return change
}

/** @throws Failure for a text that is neither a point nor `none` */
function pointOf(option: string, text: string): Point | null {
  if (text === 'none' || text === '') return null
  const point = pointIn(text)
  if (!point) throw new Failure(exitCodes.usage, `${option} takes two numbers from 0 to 1, such as 0.5,0.25, or none.`)
  return point
}
