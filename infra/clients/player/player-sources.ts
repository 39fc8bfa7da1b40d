import { readFileSync } from 'node:fs'

/** The sources of the player's files. */
export interface PlayerSources {
  /** HTML with placeholders in braces. */
  page: string
  style: string
  script: string
  /** hls.js with all that it can: its light build shows no subtitles. */
  library: string
}

/** The modules of the script, each after those that it imports. */
const modules = ['address.js', 'parts.js', 'stream.js', 'controls.js', 'choices.js', 'keys.js', 'player.js']

/** Reads the sources beside this file, and hls.js from its package. */
export function playerSources(): PlayerSources {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  return {
    page: read('player.html'),
    style: read('player.css'),
    script: joined(modules.map(read)),
    library: read('../../../node_modules/hls.js/dist/hls.min.js'),
  }
}

/** One script of modules, which needs no request for each: their imports go, and what they export is known to all of them. */
function joined(sources: readonly string[]): string {
  const bodies = sources.map((source) => source.replace(/^import .*\n/gm, '').replace(/^export /gm, ''))
  return `(() => {\n'use strict'\n${bodies.join('\n')}})()`
}
