import type { TestProject } from 'vitest/node'
import { readDevLog } from './dev-log.ts'
import { startWeatherService, type WeatherService } from './weather-service.ts'
import { startWranglerDev, type WranglerDev } from './wrangler-dev.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The MCP endpoint of the example shop. */
    endpoint: string
    /** Where the stand-in for the weather API listens. */
    weather: string
    /** The file that takes what `wrangler dev` prints. */
    log: string
  }
}

let weather: WeatherService | undefined
let server: WranglerDev | undefined

/** Starts the example shop once for all black-box tests. */
export async function setup(project: TestProject): Promise<void> {
  weather = await startWeatherService()
  const { url } = weather
  server = await startWranglerDev({ vars: () => ({ WEATHER_API: url, GEOCODING_API: url }) })
  project.provide('endpoint', `${server.url}/mcp`)
  project.provide('weather', url)
  project.provide('log', server.log)
}

/** Ends it, and fails the run if any test made the Worker log or throw something that was not checked. */
export async function teardown(): Promise<void> {
  const unseen = server === undefined ? [] : await readDevLog(server)
  await server?.stop()
  await weather?.stop()
  if (unseen.length > 0) throw new Error(`The Worker logged:\n${unseen.join('\n')}`)
}
