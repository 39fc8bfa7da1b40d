/** A tool could not process a file because of the file itself. A retry fails again, so callers go on without the result. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
}

/** A tool exceeded the time for one file and was stopped. */
export class ToolTimedOut extends ToolFailed {
  override name = 'ToolTimedOut'
}

/** A tool can't run now, whatever the file. Callers retry later. */
export class ToolUnavailable extends Error {
  override name = 'ToolUnavailable'
}

/** The tool's queue is full, or it got too little processor time. */
export class ToolBusy extends ToolUnavailable {
  override name = 'ToolBusy'
}

/**
 * Runs a tool on a file and attributes its errors to the file, bugs in our parsers included, because a retry would fail again. Errors of
 * the system (a failed system call, a tool that can't run) are passed on.
 * @throws ToolFailed, and the system's errors
 */
export async function blamingTheFile<Result>(tool: () => Promise<Result>): Promise<Result> {
  try {
    return await tool()
  } catch (error) {
    if (error instanceof ToolFailed || isOfTheSystem(error)) throw error
    throw new ToolFailed(`a tool stumbled over the file: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Whether an error comes from the machine (a failed system call, a missing tool, a full disk), not from a file. */
export function isOfTheSystem(error: unknown): boolean {
  return error instanceof ToolUnavailable || (error instanceof Error && 'syscall' in error)
}
