/*
 * Serves the example on 127.0.0.1:8790. PORT moves it, and PERSIST names the folder that keeps its
 * state. Usage: npm run authorized
 */
import { serveFixture } from '../support/serve-fixture.ts'

await serveFixture(import.meta.dirname, '8790')
