// The command line of the MCP inspector: one process for each message.
import {execFile} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {run, textOf} from './steps.mjs'

const program = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

await run(async url => {
  const inspect = async (...args) => {
    try {
      const {stdout} = await promisify(execFile)(process.execPath, [program, '--cli', url, '--transport', 'http', '--method', ...args])
      return JSON.parse(stdout)
    } catch (error) {
      throw Object.assign(new Error(error.stderr?.trim() || error.message), {name: `exit ${error.code}`})
    }
  }
  return {
    version: 'one process for each message',
    tools: async () => (await inspect('tools/list')).tools.map(tool => tool.name),
    resources: async () => Object.fromEntries((await inspect('resources/list')).resources.map(r => [r.name, r.uri])),
    read: async uri => (await inspect('resources/read', '--uri', uri)).contents[0].text,
    call: async (tool, input) => textOf(await inspect('tools/call', '--tool-name', tool,
      ...Object.entries(input).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]))),
    close: async () => {},
  }
})
