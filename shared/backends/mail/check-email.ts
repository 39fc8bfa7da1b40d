import { asciiMailAddress } from '../../vocabulary/mail-address.ts'
import { type Email, InvalidEmail } from './port.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const control = /[\u0000-\u001f\u007f\u2028\u2029]/

/**
 * Returns the e-mail with recipient and subject in the form for headers.
 * @throws InvalidEmail if the recipient or the subject is not safe to send
 */
export function checkEmail(email: Email): Email {
  if (control.test(email.subject)) throw new InvalidEmail('The subject contains a line break or control character')
  const to = asciiMailAddress(email.to)
  if (to === undefined) throw new InvalidEmail('The recipient is not one e-mail address')
  return { ...email, to, subject: ENCODED_WORD.test(email.subject) ? encodedWords(email.subject) : email.subject }
}

/** Begins an encoded word, which mail programs decode in a header (RFC 2047). */
const ENCODED_WORD = /=\?/
/** Bytes of text in one encoded word, which may have 75 characters. */
const WORD_BYTES = 45

/** Encodes a text that looks like an encoded word (a filename may), so that mail programs show it unchanged. */
function encodedWords(text: string): string {
  const words = ['']
  for (const character of text) {
    if (Buffer.byteLength(words.at(-1) + character) > WORD_BYTES) words.push('')
    words[words.length - 1] += character
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
