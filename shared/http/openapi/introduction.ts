/** Introduction of the document, in Markdown. */
export function introduction(brand: string): string {
  return `
A media library: files in folders, with rights, metadata, search, renditions and downloads.

**Signing in.** \`POST /authenticate/userpasshmac\` takes a user's name and password together with an application's key and proves the key's
secret by an HMAC. Its answer holds a token; every other request carries \`Authorization: ${brand}-SIMPLE-TOKEN Token=<token>\`. Pages of this very host sign in by \`POST /session\` instead, which
gives a cookie.

**Answers** are JSON. Every answer has a request id in a header. New fields may be added to answers at any time: clients ignore what they don't know.
Errors have a \`message\` for people, a \`code\` for programs, and in \`errors\` every problem of an invalid input.

**Ids** are positive integers of at most 31 bits. **Times** are UTC, \`YYYY-MM-DD HH:MM:SS\`, unless said otherwise. **Text** is kept in Unicode form NFC, and
lengths count characters of that.

**Several values** of one parameter are joined by commas; \`+\` and spaces work as well, and so does repeating \`name[]=\`. An empty parameter counts as not
given, an unknown one is ignored. Paths work with and without a trailing slash.

**Rights.** READ, WRITE and ADMIN on a folder reach everything below it, and none implies another. What the caller may not know of is 404, what they can
see but may not do is 403. Answers of writes tell what takes READ only to those who have it.
`.trim()
}
