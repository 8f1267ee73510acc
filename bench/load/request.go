package load

import (
	"bytes"
	"fmt"
	"sync/atomic"
)

// Client selects the client address of a request in X-Forwarded-For. The server must
// trust 127.0.0.1 as a proxy.
type Client int

// The clients of requests.
const (
	NewClient Client = iota // a new client for every request
	OneClient               // always the same one: it runs into its limit
)

// TheOneClient is the address of OneClient.
const TheOneClient = "169.100.100.100"

// placeholder is as wide as the addresses that replace it.
const placeholder = "130.100.100.100"

// Request is a request that is sent many times. Header lists name, value, name, value, …
type Request struct {
	Method, Path string
	Header       []string
	Body         string
	From         Client
}

// bytes returns the request as it is sent and the offset of the client's address in it,
// -1 if the address never changes.
func (r *Request) bytes() (wire []byte, address int) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nX-Forwarded-For: ", r.Method, r.Path)
	address = -1
	if r.From == OneClient {
		b.WriteString(TheOneClient)
	} else {
		address = b.Len()
		b.WriteString(placeholder)
	}
	b.WriteString("\r\n")
	for i := 0; i+1 < len(r.Header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", r.Header[i], r.Header[i+1])
	}
	if r.Body != "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.Body))
	}
	b.WriteString("\r\n" + r.Body)
	return b.Bytes(), address
}

// clients counts the used clients; none repeats within 39 million.
var clients atomic.Uint64

// Writing each number with three digits keeps an address as wide as the placeholder.
const (
	firstNets, firstNet = 39, 130 // 130 to 168 in front, below TheOneClient
	perByte, firstByte  = 100, 100
)

// writeClient writes the address of a new client over the last one.
func writeClient(address []byte) {
	n := clients.Add(1)
	for _, at := range []int{12, 8, 4} {
		writeByte(address[at:], firstByte+n%perByte)
		n /= perByte
	}
	writeByte(address, firstNet+n%firstNets)
}

func writeByte(text []byte, n uint64) {
	text[0], text[1], text[2] = byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10)
}
