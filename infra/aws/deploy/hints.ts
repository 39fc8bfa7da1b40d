/** Advice on failures that nothing shows beforehand, by the message of CloudFormation. */
const known: readonly { message: RegExp; hint: string }[] = [
  {
    message: /account must be verified before you can add new CloudFront resources/i,
    hint: [
      'AWS has not verified this account for CloudFront yet. No setting shows that beforehand, and nothing here can change it:',
      'open a case at https://console.aws.amazon.com/support/home (Account and billing, which is free of charge), quote the message above,',
      'and run `npm run deploy` again when the case is closed. Until then the stack is rolled back; `npm run destroy` removes what is left.',
    ].join('\n'),
  },
  {
    message:
      /InvalidChangeSetStatus|ChangeSet \S+ (already exists|does not exist)|_IN_PROGRESS state and can ?not be updated|OperationInProgressException/i,
    hint: [
      'Another deployment of this stack began at the same time, and CloudFormation takes one. Run `npm run deploy` again:',
      'it waits for the end of the other one, and compares what that one did with what you want.',
    ].join('\n'),
  },
]

/** @param output of the CDK */
export function hintsFor(output: string): string[] {
  const text = output.replace(/\s+/g, ' ')
  return known.filter(({ message }) => message.test(text)).map(({ hint }) => hint)
}
