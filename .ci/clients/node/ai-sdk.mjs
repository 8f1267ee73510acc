// Vercel's AI SDK: its MCP client, whose tools a model calls through generateText. The
// model follows a script: it calls one tool, then says that it is done.
import {createMCPClient} from '@ai-sdk/mcp'
import {generateText, isStepCount} from 'ai'
import {MockLanguageModelV4} from 'ai/test'
import {run, textOf} from './steps.mjs'

const usage = {
  inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0},
  outputTokens: {total: 1, text: 1, reasoning: 0},
}
const says = (unified, ...content) => ({content, finishReason: {unified, raw: unified}, usage, warnings: []})
const script = (tool, input) => {
  let called = false
  return new MockLanguageModelV4({
    doGenerate: async () => {
      if (called) return says('stop', {type: 'text', text: 'Done.'})
      called = true
      return says('tool-calls', {type: 'tool-call', toolCallId: '1', toolName: tool, input: JSON.stringify(input)})
    },
  })
}

await run(async url => {
  const client = await createMCPClient({transport: {type: 'http', url}})
  const tools = await client.tools()
  return {
    version: `${Object.keys(tools).length} tools`,
    tools: async () => Object.keys(tools),
    resources: async () => Object.fromEntries((await client.listResources()).resources.map(r => [r.name, r.uri])),
    read: async uri => (await client.readResource({uri})).contents[0].text,
    call: async (tool, input) => {
      const {steps} = await generateText({model: script(tool, input), tools, prompt: 'Go on.', stopWhen: isStepCount(3)})
      const seen = steps[0].content.find(part => part.type === 'tool-result' || part.type === 'tool-error')
      if (seen.type === 'tool-error') throw seen.error
      return textOf(seen.output)
    },
    close: () => client.close(),
  }
})
