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

/** The mail port. A mail may be sent twice (at-least-once); senders keep a record where that matters. */
export interface Mail {
  /**
   * @throws InvalidEmail when another attempt would fail as well
   * @throws MailRefused when the mail service never takes it from this sender
   * @throws MailUnavailable when the mail server refused it or could not be reached
   */
  send(email: Email): Promise<void>
}

export class MailUnavailable extends Error {
  override name = 'MailUnavailable'
}

/** The mail service refuses the e-mail for good: its sender, its recipient or its content. Nothing was sent. */
export class MailRefused extends MailUnavailable {
  override name = 'MailRefused'
}

/** The recipient is not one address, or a header would contain a line break. Nothing was sent. */
export class InvalidEmail extends Error {
  override name = 'InvalidEmail'
}
