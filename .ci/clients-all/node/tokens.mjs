// Prints how many tokens of a model's context the answers of a service take, as
// gpt-tokenizer counts them (o200k_base): the lists of tools with and without what only
// programs read, and each kind of result of ask_faq, as its texts. Its argument is the
// address of a new instance.
import {countTokens} from 'gpt-tokenizer'

const base = process.argv[2]
let id = 0
const post = async (path, method, params) => {
  const body = JSON.stringify({jsonrpc: '2.0', id: ++id, method, params})
  const response = await fetch(base + path, {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'}, body})
  return response.json()
}
const show = (what, text) => console.log(`${what}\t${countTokens(text)}`)
const ask = async q => {
  const {result, error} = await post('/mcp', 'tools/call', {name: 'ask_faq', arguments: {q}})
  return error ? error.message : result.content.map(block => block.text).join('\n')
}

for (const [server, path] of [['website', '/mcp'], ['workspace', '/api/public/mcp']]) {
  const {tools} = (await post(path, 'tools/list')).result
  show(`tools/list, ${server}`, JSON.stringify(tools))
  show(`tools/list, ${server}, without output schemas`, JSON.stringify(tools.map(({outputSchema, ...tool}) => tool)))
  const {instructions} = (await post(path, 'initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'tokens', version: '1'}})).result
  show(`instructions, ${server}`, instructions ?? '')
}
show('an answer', await ask('What does it cost?'))
show('a fallback with candidates', await ask('My receptionist is leaving, can you take over her phone?'))
show('an invalid argument', await ask(' '))
let last
for (let i = 0; i < 5; i++) last = await ask('What does it cost?')
show('a reached limit', last)
