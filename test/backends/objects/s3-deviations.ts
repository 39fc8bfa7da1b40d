import { deviationsHere } from '../../support/aws/deviations.ts'

export const goneForAMoment = 'removes the object for a moment when the same upload is completed twice at once'
export const noCopiedParts = 'completes no upload with a checksum that has copied parts'
export const wholeCrcOfRange = "takes the source's CRC-32 for that of a copied range"
const keysArePaths = 'stores keys as paths of files'
const keepsLabels = 'keeps the labels of an object that is copied over itself without them'

/** Cases of the contract of objects that engines fail, whoever writes and reads there. */
export const objectsDeviations = deviationsHere({
  minio: {
    'a large object is copied whole': noCopiedParts,
    'any key keeps its own object: separators and dots': keysArePaths,
    'any key keeps its own object: long names': keysArePaths,
  },
  versitygw: {
    'a large object is copied whole': wholeCrcOfRange,
    'a copy of an object over itself has no labels but those given': keepsLabels,
    'any key keeps its own object: separators and dots': keysArePaths,
    'any key keeps its own object: control characters': keysArePaths,
    'any key keeps its own object: long names': keysArePaths,
  },
})
