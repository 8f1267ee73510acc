// The official TypeScript SDK, 2.x, which asks for the newest protocol first.
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client'
import {ofSDK, run} from './steps.mjs'

await run(async url => {
  const client = new Client({name: 'frontdesk-ci', version: '1'}, {versionNegotiation: {mode: 'auto'}})
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return ofSDK(client, transport.protocolVersion)
})
