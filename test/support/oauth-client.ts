import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** What an MCP client keeps between the steps of OAuth: in memory, and for one server. */
export interface OAuthClient extends OAuthClientProvider {
  /** The pages to which it has sent its user, in order. */
  readonly pages: readonly URL[]
}

/** Creates a client called `name` that is not registered yet. */
export function createOAuthClient(
  name: string,
  redirectUrl = 'http://127.0.0.1:1/callback',
): OAuthClient {
  const pages: URL[] = []
  let information: StoredOAuthClientInformation | undefined
  let discovered: OAuthDiscoveryState | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  return {
    pages,
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    state: () => `page ${pages.length}`,
    clientInformation: () => information,
    saveClientInformation: (registered) => void (information = registered),
    discoveryState: () => discovered,
    saveDiscoveryState: (state) => void (discovered = state),
    tokens: () => tokens,
    saveTokens: (issued) => void (tokens = issued),
    codeVerifier: () => verifier,
    saveCodeVerifier: (made) => void (verifier = made),
    redirectToAuthorization: (page) => void pages.push(page),
  }
}
