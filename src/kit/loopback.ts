const hosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Tells whether a URL's host is the machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return hosts.has(hostname)
}
