// Plays ../steps.json with one client and prints what its user sees: a line for each
// step, with the server, the step, its tool and what came of it.
import {readFileSync} from 'node:fs'

const steps = JSON.parse(readFileSync(new URL('../steps.json', import.meta.url)))
const paths = {website: '/mcp', workspace: '/api/public/mcp'}
const patience = 20_000 // milliseconds for one step: a client that hangs is a finding too

const withPatience = work => {
  let timer
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error(`no answer in ${patience} ms`)), patience) })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const attempt = async work => {
  try {
    return ['ok', await withPatience(work())]
  } catch (error) {
    return ['raises', `${error.name}: ${error.message}`]
  }
}

const playServer = async (server, url, connect) => {
  const show = (step, outcome, text) =>
    console.log([server, step, outcome, String(text).replace(/\s+/g, ' ').trim()].join('\t'))
  const client = await withPatience(connect(url))
  show('connect', 'ok', client.version)
  let resources = {}
  for (const {step, tool, arguments: input, times = 1} of steps[server]) {
    if (step === 'tools') {
      const [outcome, names] = await attempt(client.tools)
      show(step, outcome, outcome === 'ok' ? names.sort().join(' ') : names)
    } else if (step === 'resources') {
      const [outcome, found] = await attempt(client.resources)
      if (outcome === 'ok') resources = found
      show(step, outcome, outcome === 'ok' ? Object.keys(found).sort().join(' ') : found)
    } else if (step === 'read') {
      const names = Object.keys(resources).sort()
      const read = await Promise.all(names.map(name => attempt(() => client.read(resources[name]))))
      read.forEach(([outcome, text], i) => show(`read ${names[i]}`, outcome, outcome === 'ok' && text ? 'text' : text))
    } else {
      const calls = Array.from({length: times}, () => attempt(() => client.call(tool, input)))
      for (const [outcome, text] of await Promise.all(calls)) show(`${step} ${tool}`, outcome, text)
    }
  }
  await client.close()
}

// run plays the steps of both servers. connect(url) gives version, and tools(),
// resources(), read(uri), call(tool, input) and close(); what a tool reports as its own
// failure is a text that begins with "isError:".
export const run = async connect => {
  for (const [server, path] of Object.entries(paths)) {
    try {
      await playServer(server, process.argv[2].replace(/\/$/, '') + path, connect)
    } catch (error) {
      console.log([server, 'session', 'raises', `${error.name}: ${error.message}`.replace(/\s+/g, ' ')].join('\t'))
    }
  }
  process.exit(0)
}

export const textOf = result => (result.isError ? 'isError: ' : '') + result.content[0].text

// ofSDK are the methods of run for a client of the official SDK, 1.x or 2.x.
export const ofSDK = (client, version) => ({
  version,
  tools: async () => (await client.listTools()).tools.map(tool => tool.name),
  resources: async () => Object.fromEntries((await client.listResources()).resources.map(r => [r.name, r.uri])),
  read: async uri => (await client.readResource({uri})).contents[0].text,
  call: async (name, input) => textOf(await client.callTool({name, arguments: input})),
  close: () => client.close(),
})
