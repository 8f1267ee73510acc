// Vercel's AI SDK: its MCP client, whose tools a model calls through generateText.
import {createMCPClient} from '@ai-sdk/mcp'
import {generateText, isStepCount} from 'ai'
import {scripted, textOfOutput} from './scripted.mjs'
import {run} from './steps.mjs'

await run(async url => {
  const client = await createMCPClient({transport: {type: 'http', url}})
  const tools = await client.tools()
  return {
    version: `${Object.keys(tools).length} tools`,
    tools: async () => Object.keys(tools),
    resources: async () => Object.fromEntries((await client.listResources()).resources.map(r => [r.name, r.uri])),
    read: async uri => (await client.readResource({uri})).contents[0].text,
    call: async (tool, input) => {
      const model = scripted(tool, input)
      await generateText({model, tools, prompt: 'Go on.', stopWhen: isStepCount(3)})
      return textOfOutput(model.seen)
    },
    close: () => client.close(),
  }
})
