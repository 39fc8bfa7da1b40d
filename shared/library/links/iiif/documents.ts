import { NotFound, Undecodable } from '../../errors.ts'
import type { LinkManifest } from '../manifest.ts'
import { isPicture } from './address.ts'
import { type IiifDocument, imageInformation } from './information.ts'
import { presentation } from './presentation.ts'

/** The documents of a picture, by their names behind its address. */
export type DocumentName = 'info.json' | 'manifest.json'

export const isDocument = (rest: string): rest is DocumentName => rest === 'info.json' || rest === 'manifest.json'

/** A document of a picture. @param id the address of the picture's service @throws NotFound where a link shows no picture, Undecodable */
export function documentOf(name: DocumentName, id: string, manifest: LinkManifest): IiifDocument {
  if (manifest.kind === 'other') throw noPicture()
  if (!isPicture(manifest)) throw new Undecodable()
  const { width, height } = manifest
  return name === 'info.json' ? imageInformation(id, { width, height }) : presentation(id, manifest)
}

/** Only pictures of pixels have parts and sizes. */
export const noPicture = (): NotFound => new NotFound('picture', 'The link shows no picture that is made of pixels.')
