// Package model lets a language model choose which approved entry answers a
// question. The model cannot speak: it is handed entries with their ids, and of its
// reply nothing is taken but one id of that closed set or the word for none. Any
// other reply is no reply.
//
// It talks to any endpoint that has the chat completions of the OpenAI API
// (https://platform.openai.com/docs/api-reference/chat/create): Ollama, llama.cpp,
// vLLM, a vendor. One Chooser guards one endpoint for every face of the service:
// the daily cap, the number of calls at once, the deadline and the circuit breaker
// are all here. No log line of this package holds a question, a key or a byte of
// what the model said.
package model
