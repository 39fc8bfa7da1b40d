/** Settings of a stack that takes over all that an earlier one kept. */
export const adoptedSettings = {
  adoptTable: 'library-restored',
  adoptMediaBucket: 'library-media-kept',
  adoptPublicBucket: 'library-public-kept',
  adoptApiSecretsKeyArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:Api-AbCdEf',
}
