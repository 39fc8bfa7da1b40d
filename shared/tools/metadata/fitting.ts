import { cutForIptc, type IptcDataset } from './iptc-limits.ts'

/** The text in the form that a tag can hold: IPTC's are short, and Windows' are UCS-2, without characters above U+FFFF. */
export function fitting(tag: string, text: string): string {
  const [group, name = ''] = tag.split(':')
  if (group === 'IPTC') return cutForIptc(name as IptcDataset, text)
  return name.startsWith('XP') ? text.replaceAll(/[^\0-\uffff]/gu, '').trim() : text
}
