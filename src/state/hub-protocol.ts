/** The header in which a listener tells the hub who it is, printed by `toListenerText`. */
export const listenerHeader = 'Helve-Listener'

/** A listener's sign of life; the runtime answers it while the hub sleeps. */
export const ping = 'ping'

/** The runtime's answer to {@link ping}. */
export const pong = 'pong'
