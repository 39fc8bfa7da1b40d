import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more, the longest first. They begin before all others, because one that begins last runs alone in the end. */
const LONGEST = [
  'test/library/concurrency/dynamodb.aws.ts',
  'test/infra/aws/stack/cfn-lint.aws.ts',
  'test/every-endpoint.test.ts',
  'test/rehearsal/serving/every-function.rehearsal.ts',
  'test/journeys/upload.test.ts',
  'test/backends/objects/faults.aws.ts',
  'test/backends/search/opensearch.aws.ts',
  'test/backends/search/opensearch-rebuild.aws.ts',
]

/** Leaves out the files of projects whose global setup found this machine unable to run them: the counts reporter lists them. */
export default class AvailableFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const available = files.filter(({ project }) => project.getProvidedContext().unavailable === undefined)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const rank = ({ project, moduleId }: TestSpecification) => {
      const place = LONGEST.indexOf(relative(project.config.root, moduleId))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(available)).toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}
