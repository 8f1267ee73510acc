// The official TypeScript SDK, 2.x, in the mode of version negotiation that the second
// argument names: default, legacy, auto, or a version to pin.
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client'
import {ofSDK, run} from './steps.mjs'

const mode = process.argv[3]
const versionNegotiation = {default: undefined, legacy: {mode}, auto: {mode}}
const options = mode in versionNegotiation ? versionNegotiation[mode] : {mode: {pin: mode}}

await run(async url => {
  const client = new Client({name: 'frontdesk-ci', version: '1'}, options && {versionNegotiation: options})
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return ofSDK(client, transport.protocolVersion)
})
