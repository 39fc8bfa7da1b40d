import type { DemoFile } from './demo.ts'

/** Tells an operator at a terminal where the console is. @param signIn path of a link that signs in once */
export function consoleAddress(baseUrl: string, signIn: string | undefined): string {
  const address = `Console, for a browser:    ${baseUrl}/console/`
  return signIn === undefined
    ? address
    : `${address}\nSigned in at once:         ${baseUrl}${signIn}\n                           (good once, for 15 minutes, on this machine)`
}

/** Tells an operator at a terminal of the demo company: its credentials and commands to paste. @param signIn path of a link that signs in once */
export function demoIntroduction(demo: DemoFile, brand: string, file: string, signIn?: string): string {
  const { base_url, username, password, api_key, api_secret, company_id, folder_id, cdn_folder_id, player_url, mail_url } = demo
  return `
A demo company was made. You can sign in with

  username    ${username}
  password    ${password}
  API key     ${api_key}
  API secret  ${api_secret}
  company     ${company_id}
  folder      ${folder_id} (upload here)
${cdn_folder_id === undefined ? '' : `  CDN folder  ${cdn_folder_id} (copy files here to publish them)\n`}
(also in ${file}). Try it: sign in and list the folders.

${exampleCommands(demo, brand)}
${consoleAddress(base_url, signIn)}
Everything that it can do: ${base_url}/docs
Videos become streams:     POST ${base_url}/media/ID/stream, then GET ${base_url}/media/ID/metadata/stream_url
A stream plays at:         ${player_url}/?v=STREAM&media=ID
${mail_url === undefined ? '' : `E-mails that it sends:     ${mail_url}\n`}`
}

/** The same for a log: credentials stay in their file. */
export function demoIntroductionForLog(file: string): string {
  return `A demo company was made; how to sign in is in ${file}, which only its owner may read.`
}

/** Commands that sign in and list the folders, for a POSIX shell with curl and openssl. */
function exampleCommands({ base_url, username, password, api_key, api_secret }: DemoFile, brand: string): string {
  return `BASE=${base_url} KEY=${api_key} SECRET=${api_secret}
TS=$(date +%s)
HMAC=$(printf %s "$KEY:$TS" | openssl dgst -sha1 -hmac "$SECRET" | sed 's/.* //')
TOKEN=$(curl -s "$BASE/authenticate/userpasshmac" \\
  -d "{\\"username\\":\\"${username}\\",\\"password\\":\\"${password}\\",\\"key\\":\\"$KEY\\",\\"ts\\":$TS,\\"hmac\\":\\"$HMAC\\"}" |
  sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s "$BASE/folder" -H "Authorization: ${brand}-SIMPLE-TOKEN Token=$TOKEN"
`
}
