/** One e-mail: text and HTML alternatives, UTF-8. */
export interface Email {
  /** One bare address, `anna@example.com`. */
  to: string
  /** One line. */
  subject: string
  text: string
  html: string
  /** Further headers, in ASCII. */
  headers?: Readonly<Record<string, string>>
}

/** The mail port. Mails may be sent twice (at-least-once); callers for whom that matters keep a record. */
export interface Mail {
  /**
   * @throws InvalidEmail if another attempt would fail, too
   * @throws MailRefused if the mail service will never accept it from this sender
   * @throws MailUnavailable if the mail server refused it or could not be reached
   */
  send(email: Email): Promise<void>
}

export class MailUnavailable extends Error {
  override name = 'MailUnavailable'
}

/** The mail service refuses the e-mail permanently, because of its sender, recipient or content. Nothing was sent. */
export class MailRefused extends MailUnavailable {
  override name = 'MailRefused'
}

/** The recipient is not one address, or a header would contain a line break. Nothing was sent. */
export class InvalidEmail extends Error {
  override name = 'InvalidEmail'
}
