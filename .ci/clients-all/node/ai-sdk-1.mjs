// Vercel's AI SDK, MCP client 1.x: its tools are called without a model.
import {createMCPClient} from '@ai-sdk/mcp'
import {run, textOf} from './steps.mjs'

await run(async url => {
  const client = await createMCPClient({transport: {type: 'http', url}})
  const tools = await client.tools()
  return {
    version: `${Object.keys(tools).length} tools`,
    tools: async () => Object.keys(tools),
    resources: async () => Object.fromEntries((await client.listResources()).resources.map(r => [r.name, r.uri])),
    read: async uri => (await client.readResource({uri})).contents[0].text,
    call: async (tool, input) => textOf(await tools[tool].execute(input, {messages: [], toolCallId: '1'})),
    close: () => client.close(),
  }
})
