/** Cases of a contract that an engine fails although AWS keeps them: title and what the engine does instead. */
export type Deviations = Readonly<Record<string, string>>

const wholeCrcOfRange = "takes the source's CRC-32 for that of a copied range (s3-copies.aws.ts has the case over another engine)"
const goneForAMoment = 'removes the object for a moment when the same upload is completed twice at once'
const keysArePaths = 'stores keys as paths of files'

/** Of versitygw. */
export const objectsDeviations: Deviations = {
  'a large object is copied whole': wholeCrcOfRange,
  'any key keeps its own object: separators and dots': keysArePaths,
  'any key keeps its own object: control characters': keysArePaths,
  'any key keeps its own object: long names': keysArePaths,
}

export const compositionDeviations: Deviations = {
  'the object is its parts in order: bytes, objects and ranges of objects': wholeCrcOfRange,
  'two who store the same parts at the same time make the object': goneForAMoment,
}

export const partDeviations: Deviations = { 'joining twice at once gives one object': goneForAMoment }

/** Of ministack, which takes more than S3. versitygw knows no `${filename}`, on which all forms rest. */
export const formDeviations: Deviations = {
  'the name is what follows the last slash': 'keeps the path',
  'the name is what follows the last backslash': 'keeps the path',
  'a name may be of any script, in raw UTF-8': 'reads it as Latin-1',
  'fields after the file are ignored': 'reads them',
  'a form with the file first is refused': 'reads fields in any order',
  'fields of more than 20 KB are refused': 'has no limit',
  'a name that makes the key too long is refused': 'stores keys of any length',
}
