/** A right of a function that the walk does not use yet, though the function does in cases that are named. */
interface Unwalked {
  /** Beginning of the role's logical id. */
  role: string
  /** Beginning of the actions of the statement. */
  actions: string
}

/** Searches of large companies read snapshots, which the walk does for `search-media` alone. */
const snapshotReaders = ['Apilistfolders', 'Apichangemediainbulk', 'Apigetsearchlayout'].flatMap((role) =>
  ['s3:GetObject', 's3:ListBucket', 'sqs:SendMessage', 'dynamodb:Query'].map((actions) => ({ role, actions })),
)

const unwalked: readonly Unwalked[] = [
  ...snapshotReaders,
  // An object that is gone when its upload is completed again.
  { role: 'Apicompletemultipartupload', actions: 's3:ListBucket' },
  // A zip that is asked for again when it is there.
  { role: 'Apicreateselectionzip', actions: 'secretsmanager:GetSecretValue' },
  // A run that wakes the next one of its kind.
  { role: 'changemedia', actions: 'lambda:InvokeFunction' },
  { role: 'makemaster', actions: 'lambda:InvokeFunction' },
  // Files of earlier versions, and jobs whose time has come.
  { role: 'fillthumbhashes', actions: 's3:GetObject' },
  { role: 'fillthumbhashes', actions: 's3:ListBucket' },
  { role: 'wakejobs', actions: 'dynamodb:GetItem' },
]

/** Whether a problem, or the place of a statement, is of such a right. */
export function isUnwalked(text: string): boolean {
  return unwalked.some(({ role, actions }) => text.includes(`${role}Role`) && text.includes(`${actions}`))
}
