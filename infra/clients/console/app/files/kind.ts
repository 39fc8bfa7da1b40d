import { text } from '../language/language.svelte.ts'

/** Names of formats whose MIME type says them in another way. */
const formats: Readonly<Record<string, string>> = {
  'svg+xml': 'SVG',
  illustrator: 'Illustrator',
  postscript: 'PostScript',
  'vnd.adobe.photoshop': 'Photoshop',
  'x-canon-cr2': 'Canon CR2',
  'x-canon-cr3': 'Canon CR3',
  'x-nikon-nef': 'Nikon NEF',
  'x-sony-arw': 'Sony ARW',
  'x-adobe-dng': 'DNG',
  'x-fujifilm-raf': 'Fujifilm RAF',
  'x-olympus-orf': 'Olympus ORF',
  'x-panasonic-rw2': 'Panasonic RW2',
  quicktime: 'QuickTime',
  'x-matroska': 'Matroska',
  'x-msvideo': 'AVI',
  'x-ms-asf': 'Windows Media',
  'x-m4v': 'M4V',
  'x-flv': 'Flash',
  mp2t: 'MPEG-TS',
  webm: 'WebM',
  webp: 'WebP',
  'x-zip-compressed': 'ZIP',
}
const archives = ['zip', 'x-zip-compressed', 'gzip', 'x-tar', 'x-7z-compressed', 'vnd.rar']

/** What a file is, in words: `JPEG image`. @param mime its MIME type @param filename names the format where the type doesn't */
export function kindText(mime: string, filename = ''): string {
  const [type = '', subtype = ''] = mime.split('/')
  const extension = /\.([^.]{1,5})$/.exec(filename)?.[1]?.toUpperCase() ?? ''
  if (mime === 'text/plain') return text.plainText
  const isNamed = /^[a-z0-9-]{2,6}$/.test(subtype) && !subtype.startsWith('x-')
  const format = formats[subtype] ?? (isNamed ? subtype.toUpperCase() : extension || subtype.replace(/^(x-|vnd\.)/, '').toUpperCase())
  if (mime === 'image/svg+xml' || subtype === 'illustrator' || subtype === 'eps') return text.drawingIn(format)
  if (type === 'image') return text.imageIn(format)
  if (type === 'video' || subtype === 'mxf') return text.videoIn(format)
  if (type === 'audio') return text.soundIn(subtype === 'mpeg' ? 'MP3' : format)
  if (archives.includes(subtype)) return text.archiveIn(format)
  return subtype === 'octet-stream' ? text.fileIn(extension) : text.fileIn(format)
}
