import { ToolError } from 'helve'
import { describe, expect, it } from 'vitest'
import { toConditions } from '../../../tools/_weather/conditions.ts'
import { readForecast } from '../../../tools/_weather/forecast.ts'
import { readPlace } from '../../../tools/_weather/place.ts'

const portland = (admin1: string, country_code: string, country: string) => ({
  name: 'Portland',
  latitude: 45.52,
  longitude: -122.68,
  admin1,
  country_code,
  country,
})

const places = {
  results: [
    portland('Oregon', 'US', 'United States'),
    portland('Victoria', 'AU', 'Australia'),
    { name: 'Singapore', latitude: 1.29, longitude: 103.85, country: 'Singapore' },
  ],
}

describe('readPlace', () => {
  it('takes the first, which is the best known', () => {
    expect(readPlace(places, { city: 'Portland' }).name).toBe('Portland, Oregon, United States')
  })

  it('keeps to the country that was asked for', () => {
    const place = readPlace(places, { city: 'Portland', country: 'AU' })
    expect(place.name).toBe('Portland, Victoria, Australia')
  })

  it('names a city state once', () => {
    expect(readPlace({ results: places.results.slice(2) }, { city: 'Singapore' }).name).toBe(
      'Singapore',
    )
  })

  it.each([
    ['leaves results out', {}],
    ['has no place in that country', places],
  ])('says what to try when the service %s', (_, body) => {
    const read = () => readPlace(body, { city: 'Portland', country: 'NZ' })
    expect(read).toThrow(ToolError)
    expect(read).toThrow(/^No place called "Portland" in NZ is known\. Check the spelling/)
  })

  it('refuses an answer of another shape', () => {
    expect(() => readPlace({ results: [{ name: 'X' }] }, { city: 'X' })).toThrow(ToolError)
  })
})

const daily = {
  time: ['2026-11-30', '2026-12-01'],
  weather_code: [61, 3],
  temperature_2m_min: [4.1, 2],
  temperature_2m_max: [9.8, 7.5],
  precipitation_probability_max: [85, null],
  wind_speed_10m_max: [31.4, 12],
}

describe('readForecast', () => {
  it('turns columns into days', () => {
    expect(readForecast({ timezone: 'Europe/Vienna', daily })).toEqual({
      timezone: 'Europe/Vienna',
      days: [
        {
          date: '2026-11-30',
          conditions: 'light rain',
          minCelsius: 4.1,
          maxCelsius: 9.8,
          precipitationPercent: 85,
          windKmh: 31.4,
        },
        {
          date: '2026-12-01',
          conditions: 'overcast',
          minCelsius: 2,
          maxCelsius: 7.5,
          windKmh: 12,
        },
      ],
    })
  })

  it.each([
    ['is no object', 'sunny'],
    ['has no days', { timezone: 'UTC', daily: { ...daily, time: [] } }],
    ['lacks a measure', { timezone: 'UTC', daily: { time: daily.time } }],
    ['has a short column', { timezone: 'UTC', daily: { ...daily, weather_code: [61] } }],
    ['has text for a number', { timezone: 'UTC', daily: { ...daily, weather_code: ['61', '3'] } }],
  ])('refuses an answer that %s', (_, body) => {
    expect(() => readForecast(body)).toThrow(ToolError)
  })
})

describe('toConditions', () => {
  it.each([
    [0, 'clear sky'],
    [75, 'heavy snow'],
    [42, 'weather code 42'],
  ])('reads code %i as "%s"', (code, words) => {
    expect(toConditions(code)).toBe(words)
  })
})
