// Genkit and its MCP client, with a model that follows a script.
import {createMcpClient} from '@genkit-ai/mcp'
import {genkit} from 'genkit'
import {run} from './steps.mjs'

await run(async url => {
  const ai = genkit({})
  const client = createMcpClient({name: 'frontdesk-ci', serverName: 'desk', mcpServer: {url}})
  await client.ready()
  const tools = await client.getActiveTools(ai)
  const resources = await client.getActiveResources(ai)
  let count = 0
  return {
    version: `${tools.length} tools`,
    tools: async () => tools.map(tool => tool.__action.name.replace('desk/', '')),
    resources: async () => Object.fromEntries(resources.map(r => [r.__action.name.replace('desk/', ''), r])),
    read: async resource => (await resource({uri: resource.__action.metadata.resource.uri})).content[0].text,
    call: async (name, input) => {
      let seen
      const model = ai.defineModel({name: `scripted-${count++}`, supports: {tools: true}}, async ({messages}) => {
        seen = messages.flatMap(message => message.content).find(part => part.toolResponse)?.toolResponse.output
        const part = seen === undefined ? {toolRequest: {name: name, input, ref: '1'}} : {text: 'Done.'}
        return {message: {role: 'model', content: [part]}, finishReason: 'stop'}
      })
      await ai.generate({model, tools, prompt: 'Go on.'})
      return typeof seen === 'string' ? seen : JSON.stringify(seen)
    },
    close: () => client.disable(),
  }
})
