// Package load sends requests to a server and times the answers. It is a closed loop:
// each connection sends its next request after reading the answer to the last one, so a
// slow server gets fewer requests and no queue builds up.
//
// Requests are prepared once, and only the frame of answers is parsed, so the driver
// takes little of the machine that it shares with the server.
package load
