/**
 * Returns the address that limits count. Of an IPv6 address only the first 64 bits count, because one
 * client has all addresses of its network. Cloudflare sets the header; without it, as in `wrangler dev`,
 * all requests share one address.
 */
export function toClientAddress(headers: Headers): string {
  const address = headers.get('CF-Connecting-IP') ?? 'unknown'
  return address.includes(':') && !address.includes('.') ? toNetwork(address) : address
}

function toNetwork(address: string): string {
  const [before = '', after] = address.toLowerCase().split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

const hosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the host of a URL is this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return hosts.has(hostname)
}
