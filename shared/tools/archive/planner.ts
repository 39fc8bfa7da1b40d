import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../crc32.ts'
import { centralDirectory } from './central-directory.ts'
import { type ArchiveEntry, ArchiveTooLarge, type ObjectPlan, type PartRules } from './plan.ts'
import { partsOf, piecesOfObject, rangesOf } from './section-parts.ts'
import { type Section, sectionsOf } from './sections.ts'
import { type Sizes, sizesFor } from './sizes.ts'

interface Content {
  bytes: number
  crc32: number
}

/**
 * Plans how storage assembles a ZIP archive from objects, so that few bytes pass through the caller. Deterministic: the same entries and
 * rules give the same plan in every process, so an interrupted assembly can continue.
 *
 * - The caller assembles small files, storage copies large ones.
 * - The bytes between two large files (at least a header) are often too few for a part: see `sections.ts`.
 * - An archive with more parts than storage allows is made of intermediate objects, one for each section except the last.
 *
 * @param entries in the order of the archive, with unique paths. Not copied, so they must not change while the plan is used
 * @throws ArchiveTooLarge
 */
export function planArchive(entries: readonly ArchiveEntry[], rules: PartRules): ObjectPlan {
  const sizes = sizesFor(rules)
  const sections = sectionsOf(entries, sizes)
  const content = joined(sections)
  const tail = contentOf(centralDirectory(entries, content.bytes))
  const { objects, rest } = divided(sections, tail.bytes, sizes)
  return {
    name: 'archive',
    ...joined([content, tail]),
    *parts() {
      for (const [index, section] of objects.entries()) yield* piecesOfObject(objectOf(section, index), sizes)
      yield* partsOf(rest, entries, sizes, centralDirectory(entries, content.bytes))
    },
  }

  function objectOf(section: Section, index: number): ObjectPlan {
    return {
      name: `section-${String(index).padStart(6, '0')}`,
      bytes: section.bytes,
      crc32: section.crc32,
      parts: () => partsOf(section, entries, sizes),
    }
  }
}

/**
 * The sections that become intermediate objects, and the last one, whose parts belong to the archive itself, with the directory after it.
 */
function divided(sections: readonly Section[], tailBytes: number, sizes: Sizes): { objects: readonly Section[]; rest: Section } {
  const [nothing] = sectionsOf([], sizes)
  const found = [
    { objects: sections.slice(0, -1), rest: sections.at(-1)! },
    { objects: sections, rest: nothing! },
  ].find(({ objects, rest }) => {
    const pieces = objects.map(({ bytes }) => rangesOf(bytes, sizes))
    return pieces.reduce((sum, number) => sum + number, rest.partsWith(tailBytes)) <= sizes.maxParts
  })
  if (!found || found.objects.some((section) => section.partsWith(0) > sizes.maxParts)) {
    throw new ArchiveTooLarge(`more than ${sizes.maxParts} parts of ${sizes.maxParts} parts each`)
  }
  return found
}

function contentOf(buffers: Iterable<Uint8Array>): Content {
  const content = { bytes: 0, crc32: 0 }
  for (const buffer of buffers) {
    content.bytes += buffer.length
    content.crc32 = crc32(buffer, content.crc32)
  }
  return content
}

/** Size and CRC-32 of concatenated pieces. */
function joined(pieces: Iterable<Content>): Content {
  let whole = { bytes: 0, crc32: 0 }
  for (const { bytes, crc32 } of pieces) {
    whole = { bytes: whole.bytes + bytes, crc32: combineCrc32(whole.crc32, crc32, bytes) }
  }
  return whole
}
