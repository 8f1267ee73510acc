// Mastra's agent and its MCP client.
import {Agent} from '@mastra/core/agent'
import {MCPClient} from '@mastra/mcp'
import {scripted, textOfOutput} from './scripted.mjs'
import {run} from './steps.mjs'

await run(async url => {
  const client = new MCPClient({id: url, servers: {desk: {url: new URL(url)}}, timeout: 10_000})
  const tools = await client.listTools()
  return {
    version: client.getServerProtocolVersions().desk ?? `${Object.keys(tools).length} tools`,
    tools: async () => Object.keys(tools).map(name => name.replace(/^desk_/, '')),
    resources: async () => Object.fromEntries((await client.resources.list()).desk.map(r => [r.name, r.uri])),
    read: async uri => (await client.resources.read('desk', uri)).contents[0].text,
    call: async (tool, input) => {
      const model = scripted(`desk_${tool}`, input)
      await new Agent({id: 'desk', name: 'desk', instructions: 'Go on.', model, tools}).generate('Go on.', {maxSteps: 3})
      return textOfOutput(model.seen)
    },
    close: () => client.disconnect(),
  }
})
