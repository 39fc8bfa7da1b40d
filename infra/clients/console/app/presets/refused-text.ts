import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { text } from '../language/language.svelte.ts'
import { reasonOf } from '../ui/notices.svelte.ts'

/** Why a preset was refused, for people: each problem on a line of its own. */
export function refusedText(error: unknown): string[] {
  if (!(error instanceof MediaLibraryError)) return [reasonOf(error)]
  if (error.code === 'preset_exists') return [text.presetExists]
  if (error.code === 'too_many_presets') return [text.tooManyPresets]
  if (error.status !== 400 || error.errors.length === 0) return [reasonOf(error)]
  return error.errors.map(({ path, message }) => (path === 'name' ? text.presetNameRule : `${path}: ${message}`))
}
