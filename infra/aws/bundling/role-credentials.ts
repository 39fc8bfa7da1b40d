/** Stands in for the SDK's chain of credentials in bundles: Lambda gives a function its role's in environment variables. */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
