import { describe, expect, inject, it } from 'vitest'
import { toModernRequest } from '../support/modern-request.ts'

async function getWeather(city: string): Promise<unknown> {
  const params = { name: 'get_weather', arguments: { city } }
  // a reply that is long in coming would be a stream otherwise
  const asJson = { headers: { Accept: 'application/json' } }
  const reply = await fetch(toModernRequest(inject('endpoint'), 'tools/call', params, asJson))
  expect(reply.status).toBe(200)
  return reply.json()
}

/** The cities that the service was asked about, but not to the end. */
async function readAbandoned(): Promise<unknown> {
  return (await fetch(`${inject('weather')}/abandoned`)).json()
}

const toolError = (text: string | RegExp) => ({
  result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(text) }] },
})

describe('get_weather', () => {
  it('returns the forecast for the requested days', async () => {
    expect(await getWeather('Lisbon')).toMatchObject({
      result: {
        structuredContent: {
          place: 'Lisbon, Portugal',
          timezone: 'Europe/Lisbon',
          days: [
            {
              date: '2026-11-30',
              conditions: 'light rain',
              minCelsius: 11.2,
              maxCelsius: 16.4,
              precipitationPercent: 90,
              windKmh: 32.4,
            },
            { date: '2026-12-01', conditions: 'overcast' },
            { date: '2026-12-02', conditions: 'clear sky' },
          ],
        },
      },
    })
  })

  it.each([
    [
      'the city is not known',
      'Nowhere',
      /^No place called "Nowhere" is known\. Check the spelling/,
    ],
    ['the service cannot be reached', 'Unreachable', /cannot be reached\. Try again/],
    ['the service refuses', 'Http404', /refused the request \(HTTP 404\).*tell the user/],
    ['the service has enough', 'Http429', /too many requests\. Try again in 20 seconds\.$/],
    ['the service fails', 'Http500', /is failing \(HTTP 500\)\. Try again in a few minutes\.$/],
    ['only the forecast fails', 'Ghosttown', /is failing \(HTTP 503\)/],
    ['the answer is not JSON', 'NotJson', /cannot be read\. Try again/],
    ['the answer ends too early', 'Truncated', /cannot be read\. Try again/],
    ['the answer has another shape', 'WrongShape', /cannot be read\. Try again/],
  ])('says what to do when %s', async (_, city, sentence) => {
    expect(await getWeather(city)).toMatchObject(toolError(sentence))
  })

  it('stops waiting for a silent service at its time limit, and aborts the request', async () => {
    expect(await getWeather('Silent')).toMatchObject(toolError(/did not finish within 5s/))
    await expect.poll(readAbandoned).toContain('Silent')
  })
})
