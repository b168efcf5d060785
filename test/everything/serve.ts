/*
 * Serves the fixture on 127.0.0.1:8788. PORT moves it, and PERSIST names the folder that keeps its
 * state. Usage: npm run everything
 */
import { serveFixture } from '../support/serve-fixture.ts'

await serveFixture(import.meta.dirname, '8788')
