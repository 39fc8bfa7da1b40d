import { sizeOf } from '../../../../infra/aws/deploy/template-limits.ts'
import type { WrittenTemplate } from '../../../../infra/aws/deploy/written-templates.ts'

/** The most of a template. CloudFormation takes 1,000,000 bytes and 500 resources: settings need some more, and so does the next endpoint. */
const walls = { bytes: 900_000, resources: 420, parameters: 150, outputs: 150 }

/** What templates have beyond these, in sentences. */
export function beyondWalls(templates: readonly WrittenTemplate[]): string[] {
  return templates.flatMap((written) =>
    Object.entries(sizeOf(written)).flatMap(([unit, count]) =>
      count > walls[unit as keyof typeof walls] ? [`${written.name} has ${count} ${unit}`] : [],
    ),
  )
}
