/** The wanted value of one of ExifTool's tags; none removes the tag. */
export interface Assignment {
  tag: string
  values: readonly string[]
}
