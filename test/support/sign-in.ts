/** What a user does on the page that asks for consent. */
export interface Decision {
  readonly user?: string
  readonly decision?: 'allow' | 'deny'
}

/**
 * Plays a browser: opens the page, sends its form, and gives the parameters with which the browser
 * is sent back to the client.
 *
 * @throws {Error} with the page, when it has no form or the form is refused.
 */
export async function signIn(
  page: URL | undefined,
  { user = 'ada', decision = 'allow' }: Decision = {},
): Promise<URLSearchParams> {
  if (page === undefined) throw new Error('The client did not send its user to any page.')
  const opened = await fetch(page)
  const html = await opened.text()
  const [, handle] = /name="handle" value="([^"]+)"/.exec(html) ?? []
  if (handle === undefined) throw new Error(`There is no form on the page:\n${html}`)
  const cookies = opened.headers.getSetCookie().map((cookie) => cookie.split(';', 1))
  const sent = await fetch(page, {
    method: 'POST',
    headers: { Cookie: cookies.join('; ') },
    body: new URLSearchParams({ handle, user, decision }),
    redirect: 'manual',
  })
  const location = sent.headers.get('Location')
  if (location === null) throw new Error(`The form was refused:\n${await sent.text()}`)
  return new URL(location).searchParams
}
