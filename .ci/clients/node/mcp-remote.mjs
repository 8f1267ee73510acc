// mcp-remote: a bridge for programs that start their servers, here the TypeScript SDK.
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {Client} from '@modelcontextprotocol/sdk/client/index.js'
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js'
import {ofSDK, run} from './steps.mjs'

const bridge = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist', 'proxy.js')

await run(async url => {
  const client = new Client({name: 'frontdesk-ci', version: '1'})
  await client.connect(new StdioClientTransport({
    command: process.execPath, args: [bridge, url, '--transport', 'http-only', '--allow-http'], stderr: 'ignore',
    env: {HOME: process.env.HOME, PATH: process.env.PATH},
  }))
  return ofSDK(client, client.getServerVersion().name)
})
