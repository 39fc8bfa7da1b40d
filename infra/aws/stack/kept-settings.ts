/** Settings as text, as `-c` takes them, by their names. */
export type GivenSettings = Readonly<Record<string, string>>

/** Output of the stack that keeps the operator's settings for the next deployment. Only values that are exported may have no more than 1,024 characters. */
export const SETTINGS_OUTPUT = 'Settings'

/** @returns JSON of ASCII: CloudFormation gives other characters back as question marks */
export function writeSettings(settings: GivenSettings): string {
  return JSON.stringify(settings).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
