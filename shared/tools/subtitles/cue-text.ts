/** Tags of WebVTT's cue text, with classes, and what a voice, a language or a ruby text is named by. */
const WEBVTT_TAG =
  /^<(?:\/?(?:c|i|b|u|ruby|rt)(?:\.[^\s.<>&]+)*|\/(?:v|lang)|(?:v|lang)(?:\.[^\s.<>&]+)*[ \t][^<>]{1,200}|(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})>$/
/** Of SubRip's tags those that WebVTT has, too. */
const SUBRIP_TAG = /^<\/?[biu]>$/i

const REFERENCE = /&(?!(?:amp|lt|gt|lrm|rlm|nbsp|#\d{1,7}|#x[\da-f]{1,6});)/gi

/** The line as WebVTT has it: its own tags stay, others go, what only looks like one is text. */
export const webVttText = (text: string): string => cueText(text.replaceAll(REFERENCE, '&amp;'), (tag) => WEBVTT_TAG.test(tag) && tag)

/** A line of SubRip, where only its tags are not text, as WebVTT has it. */
export const subRipText = (text: string): string =>
  cueText(text.replaceAll('&', '&amp;'), (tag) => SUBRIP_TAG.test(tag) && tag.toLowerCase())

/** @param kept the tag as it is to be; false where it is left out */
function cueText(text: string, kept: (tag: string) => string | false): string {
  return text
    .split(/(<\/?[a-z][^<>]*>|<\d[\d:.]*>)/i)
    .map((part, index) => (index % 2 === 1 ? kept(part) || '' : part.replaceAll('<', '&lt;').replaceAll('>', '&gt;')))
    .join('')
    .trim()
}
