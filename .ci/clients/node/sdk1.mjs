// The official TypeScript SDK, 1.x.
import {Client} from '@modelcontextprotocol/sdk/client/index.js'
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {ofSDK, run} from './steps.mjs'

await run(async url => {
  const client = new Client({name: 'frontdesk-ci', version: '1'})
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return ofSDK(client, transport.protocolVersion)
})
