import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the files of a project only where the global setup could start what they need; the counts reporter tells what is left out. */
export default class AvailableFiles extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return super.sort(files.filter(({ project }) => project.getProvidedContext().unavailable === undefined))
  }
}
