// A language model of the AI SDK's interface that follows a script: it calls one tool, then
// says that it is done. seen is what it was given then.
const usage = {
  inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0},
  outputTokens: {total: 1, text: 1, reasoning: 0},
}

export const scripted = (tool, input) => {
  const model = {specificationVersion: 'v4', provider: 'scripted', modelId: 'scripted', supportedUrls: {}, seen: undefined}
  const next = ({prompt}) => {
    const results = prompt.filter(message => message.role === 'tool').flatMap(message => message.content)
    model.seen = results.find(part => part.type === 'tool-result')?.output
    return model.seen
      ? [{type: 'text', text: 'Done.'}, 'stop']
      : [{type: 'tool-call', toolCallId: '1', toolName: tool, input: JSON.stringify(input)}, 'tool-calls']
  }
  model.doGenerate = async options => {
    const [part, reason] = next(options)
    return {content: [part], finishReason: {unified: reason, raw: reason}, usage, warnings: []}
  }
  model.doStream = async options => {
    const [part, reason] = next(options)
    const parts = part.type === 'text'
      ? [{type: 'text-start', id: '1'}, {type: 'text-delta', id: '1', delta: part.text}, {type: 'text-end', id: '1'}]
      : [part]
    return {
      stream: ReadableStream.from([
        {type: 'stream-start', warnings: []}, ...parts, {type: 'finish', finishReason: {unified: reason, raw: reason}, usage},
      ]),
    }
  }
  return model
}

// textOfOutput is the first text of what the model was given.
export const textOfOutput = ({type, value}) => {
  if (type === 'error-text') return `isError: ${value}`
  if (type === 'text') return value
  const content = type === 'content' ? value : value?.content
  return (value?.isError ? 'isError: ' : '') + (content?.[0]?.text ?? JSON.stringify(value))
}
