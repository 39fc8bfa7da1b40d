import type { EventFunction } from '../shared/events/consumer.ts'
import { importMedia } from './events/import-media.ts'
import { removeFolderContents } from './events/remove-folder-contents.ts'
import { removeMediaObjects } from './events/remove-media-objects.ts'
import { startImport } from './events/start-import.ts'
import { startRemoval } from './events/start-removal.ts'

/** Everything that no HTTP call starts: queue consumers, consumers of the table's change stream, schedules. Each name names its file and function. */
export const events: readonly EventFunction[] = [startImport, importMedia, removeMediaObjects, startRemoval, removeFolderContents]
