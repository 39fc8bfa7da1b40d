import { cutForIptc, type IptcDataset } from './iptc-limits.ts'

/** The text as a tag holds it: IPTC's are short, and Windows' are UCS-2, without characters past U+FFFF. */
export function fitting(tag: string, text: string): string {
  const [group, name = ''] = tag.split(':')
  if (group === 'IPTC') return cutForIptc(name as IptcDataset, text)
  return name.startsWith('XP') ? text.replaceAll(/[^\0-\uffff]/gu, '').trim() : text
}
