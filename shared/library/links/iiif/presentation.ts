import { fitInside } from '../../../tools/imaging/sizes.ts'
import type { LanguageText } from '../../../vocabulary/field-values.ts'
import type { LinkManifest } from '../manifest.ts'
import { type IiifDocument, iiifDocument } from './information.ts'
import { MAX_SIDE } from './size.ts'

/** Longest side of the thumbnail in pixels. */
const THUMBNAIL = 400

type Described = Pick<LinkManifest, 'filename' | 'title' | 'description' | 'copyright'> & { width: number; height: number }

/** The manifest of a picture by itself (Presentation API 3.0). @param id the address of the picture's service */
export function presentation(id: string, { filename, title, description, copyright, ...picture }: Described): IiifDocument {
  const { width, height } = picture
  const image = (side: number) => {
    const size = fitInside(picture, side)
    const shown = size.width === width && size.height === height ? 'max' : `${size.width},${size.height}`
    return {
      id: `${id}/full/${shown}/0/default.jpg`,
      type: 'Image',
      format: 'image/jpeg',
      ...size,
      service: [{ id, type: 'ImageService3', profile: 'level2' }],
    }
  }
  const [canvas, label, summary] = [`${id}/canvas`, languageMap(title), languageMap(description, escaped)]
  return iiifDocument('http://iiif.io/api/presentation/3/context.json', {
    id: `${id}/manifest.json`,
    type: 'Manifest',
    label: isEmpty(label) ? { none: [filename] } : label,
    ...(isEmpty(summary) ? {} : { summary }),
    ...(copyright === null ? {} : { requiredStatement: { label: { en: ['Copyright'] }, value: { none: [escaped(copyright)] } } }),
    thumbnail: [image(THUMBNAIL)],
    items: [
      {
        ...{ id: canvas, type: 'Canvas', width, height },
        items: [
          {
            ...{ id: `${canvas}/page`, type: 'AnnotationPage' },
            items: [{ id: `${canvas}/annotation`, type: 'Annotation', motivation: 'painting', body: image(MAX_SIDE), target: canvas }],
          },
        ],
      },
    ],
  })
}

/** A language's tag as IIIF takes it; texts of others are in no language. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/

type LanguageMap = { [language: string]: string[] }

function languageMap(texts: LanguageText, shown = (text: string) => text): LanguageMap {
  const map: LanguageMap = {}
  for (const [language, text] of Object.entries(texts)) {
    if (text.trim() === '') continue
    const key = LANGUAGE.test(language) ? language : 'none'
    map[key] = [...(map[key] ?? []), shown(text)]
  }
  return map
}

const isEmpty = (map: LanguageMap): boolean => Object.keys(map).length === 0

/** Viewers take a text between angle brackets for HTML. Texts of the library are none. */
function escaped(text: string): string {
  const bare = text.trim()
  const isHtml = bare.startsWith('<') && bare.endsWith('>')
  return isHtml ? `<span>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</span>` : text
}
