/** Tags of WebVTT's cue text, with classes, and annotations of voices and languages. */
const WEBVTT_TAG =
  /^<(?:\/?(?:c|i|b|u|ruby|rt)(?:\.[^\s.<>&]+)*|\/(?:v|lang)|(?:v|lang)(?:\.[^\s.<>&]+)*[ \t][^<>]{1,200}|(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})>$/
/** SubRip's tags that WebVTT has, too. */
const SUBRIP_TAG = /^<\/?[biu]>$/i

const REFERENCE = /&(?!(?:amp|lt|gt|lrm|rlm|nbsp|#\d{1,7}|#x[\da-f]{1,6});)/gi

/** Normalises a line of WebVTT: keeps its tags, removes others, and escapes what only looks like a tag. */
export const webVttText = (text: string): string => cueText(text.replaceAll(REFERENCE, '&amp;'), (tag) => WEBVTT_TAG.test(tag) && tag)

/** Converts a line of SubRip to WebVTT. Everything but its tags is text. */
export const subRipText = (text: string): string =>
  cueText(text.replaceAll('&', '&amp;'), (tag) => SUBRIP_TAG.test(tag) && tag.toLowerCase())

/** @param kept returns the tag to write; false to remove it */
function cueText(text: string, kept: (tag: string) => string | false): string {
  return text
    .split(/(<\/?[a-z][^<>]*>|<\d[\d:.]*>)/i)
    .map((part, index) => (index % 2 === 1 ? kept(part) || '' : part.replaceAll('<', '&lt;').replaceAll('>', '&gt;')))
    .join('')
    .trim()
}
