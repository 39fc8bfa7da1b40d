/**
 * URL of the page where a user chooses a password. The code is in the fragment, which browsers don't send.
 * @param baseUrl of the API
 */
export const passwordAddress = (baseUrl: string, code: string): string => `${baseUrl}/authenticate/userpass/reset/confirm#code=${code}`
