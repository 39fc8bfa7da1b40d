/** Another process that opens the same secrets file, for embedded.test.ts: reports what it reads as JSON. */
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'

const secrets = openEmbeddedSecrets(process.argv[2]!)
process.stdout.write(JSON.stringify([await secrets.get('apiSecretsKey'), await secrets.get('urlSigningKey')]))
