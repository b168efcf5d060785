// the official SDK, as its documentation has a Worker serve it
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createServer } from './sdk-server.js'

export const serve = (tools, withOutput) => createMcpHandler(() => createServer(tools, withOutput))
