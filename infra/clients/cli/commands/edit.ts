import { type Command, Option } from 'commander'
import { type Point, pointIn } from '../../../../shared/vocabulary/point.ts'
import type { Schemas } from '../../client/client.ts'
import { Bulk } from '../bulk.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, mediaIdsOf } from '../folders.ts'

interface Options {
  title?: string
  description?: string
  byline?: string
  copyright?: string
  expires?: string
  focalPoint?: string
  addKeywords?: string[]
  removeKeywords?: string[]
  setKeywords?: string[]
  lang: string
  search?: string
  in?: string
  undo?: string
}

export function editCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('edit')
    .description('change the metadata of files; an empty text clears a field')
    .argument('[ID...]', 'ids of files')
    .option('--search <terms>', 'all files that match')
    .option('--in <FOLDER>', 'all files in this folder and below it')
    .option('--title <text>')
    .option('--description <text>')
    .option('--byline <text>')
    .option('--copyright <text>')
    .option('--expires <date>', 'such as 2027-12-31; an empty text: never')
    .option('--focal-point <x,y>', 'what cuts of pictures keep, such as 0.5,0.25 from the left and the top; none: nothing in particular')
    .option('--add-keywords <word...>')
    .option('--remove-keywords <word...>')
    .addOption(new Option('--set-keywords <word...>', 'these alone').conflicts(['addKeywords', 'removeKeywords']))
    .option('--lang <code>', 'language of title, description and keywords', 'en')
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
  const { title, description, byline, copyright, expires, focalPoint, lang } = options
  const { addKeywords: add, removeKeywords: remove, setKeywords: replace } = options
  const change = {
    ...(title !== undefined && { title: { [lang]: title || null } }),
    ...(description !== undefined && { description: { [lang]: description || null } }),
    ...(byline !== undefined && { byline: byline || null }),
    ...(copyright !== undefined && { copyright: copyright || null }),
    ...(expires !== undefined && { expiration_date: expires || null }),
    ...(focalPoint !== undefined && { focal_point: pointOf(focalPoint) }),
    ...(replace && { keywords: { [lang]: { replace: replace.filter(Boolean) } } }),
    ...((add || remove) && { keywords: { [lang]: { ...(add && { add }), ...(remove && { remove }) } } }),
  }
  if (Object.keys(change).length === 0) throw new Failure(exitCodes.usage, 'Say what to change, such as --title.')
  return change
}

/** @throws Failure for a text that is neither a point nor `none` */
function pointOf(text: string): Point | null {
  if (text === 'none' || text === '') return null
  const point = pointIn(text)
  if (!point) throw new Failure(exitCodes.usage, '--focal-point takes two numbers from 0 to 1, such as 0.5,0.25, or none.')
  return point
}
