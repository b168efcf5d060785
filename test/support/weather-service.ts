import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listen } from './free-port.ts'

/** A stand-in for Open-Meteo's two services. */
export interface WeatherService {
  readonly url: string
  stop(): Promise<void>
}

const lisbon = { name: 'Lisbon', latitude: 38.72, longitude: -9.14, country: 'Portugal' }
// this one is found, but has no forecast
const ghosttown = { name: 'Ghosttown', latitude: 37.28, longitude: -118.04 }

const places = new Map([lisbon, ghosttown].map((place) => [place.name, place]))

const forecast = {
  timezone: 'Europe/Lisbon',
  daily: {
    time: ['2026-11-30', '2026-12-01', '2026-12-02'],
    weather_code: [61, 3, 0],
    temperature_2m_min: [11.2, 9.8, 8.1],
    temperature_2m_max: [16.4, 15, 17.3],
    precipitation_probability_max: [90, 25, null],
    wind_speed_10m_max: [32.4, 18, 9.7],
  },
}

/** How the service misbehaves when it is asked for a city of that name, or for that latitude. */
const failures = new Map<string, (response: ServerResponse) => void>([
  ['Http404', (response) => response.writeHead(404).end()],
  ['Http429', (response) => response.writeHead(429, { 'Retry-After': '20' }).end()],
  ['Http500', (response) => response.writeHead(500).end('Exception in thread "main"')],
  ['NotJson', (response) => response.end('<html>Down for maintenance</html>')],
  ['WrongShape', (response) => response.end('{"results":[{"name":"WrongShape"}]}')],
  ['Truncated', (response) => response.end('{"results":[{"name":"Trun')],
  ['Unreachable', (response) => response.destroy()],
  ['Silent', () => {}],
  [String(ghosttown.latitude), (response) => response.writeHead(503).end()],
])

/**
 * Starts the stand-in on 127.0.0.1. Beside the two services it answers `GET /abandoned`: the cities
 * whose requests were given up before there was an answer.
 */
export async function startWeatherService(): Promise<WeatherService> {
  const abandoned: string[] = []

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const subject = searchParams.get('name') ?? searchParams.get('latitude') ?? ''
    response.on('close', () => {
      if (!response.writableEnded) abandoned.push(subject)
    })
    const fail = failures.get(subject)
    if (fail !== undefined) fail(response)
    else if (pathname === '/v1/search') response.end(JSON.stringify(toSearchResult(subject)))
    else if (pathname === '/v1/forecast') response.end(JSON.stringify(forecast))
    else if (pathname === '/abandoned') response.end(JSON.stringify(abandoned))
    else response.writeHead(404).end()
  })

  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toSearchResult(name: string): object {
  const place = places.get(name)
  return place === undefined ? {} : { results: [place] }
}
