// Package load sends requests to a server and times the answers. It is a closed
// loop: each connection sends its next request when it has read the answer to the
// last one, so a slow server is asked less and never queued up on.
//
// Requests are bytes made once; of an answer only what frames it is read. So the
// driver takes little of the machine that it shares with the server.
package load
