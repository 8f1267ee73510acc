package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"time"
)

// Answer is a whole answer.
type Answer struct {
	Status int
	Header textproto.MIMEHeader
	Body   []byte
}

var errFrame = errors.New("the answer is not HTTP/1.1 as this driver reads it")

// patience is the deadline of everything on one connection.
const patience = 5 * time.Minute

// conn is a connection for one request after another.
type conn struct {
	net.Conn
	read *bufio.Reader
}

func dial(ctx context.Context, addr string) (*conn, error) {
	c, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	return &conn{c, bufio.NewReaderSize(c, 4<<10)}, nil
}

// frame is the part of an answer that is needed to find the next one.
type frame struct {
	status, length  int
	chunked, closes bool
}

var (
	lengthLine  = []byte("Content-Length:")
	chunkedLine = []byte("Transfer-Encoding: chunked")
	closeLine   = []byte("Connection: close")
)

// next reads an answer and drops its body.
func (c *conn) next() (f frame, err error) {
	line, err := c.read.ReadSlice('\n')
	if err != nil {
		return f, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return f, errFrame
	}
	f.status = int(line[9]-'0')*100 + int(line[10]-'0')*10 + int(line[11]-'0')
	for {
		line, err = c.read.ReadSlice('\n')
		if err != nil {
			return f, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return f, c.drop(f)
		}
		f.take(line)
	}
}

// take reads a header line that belongs to the frame.
func (f *frame) take(line []byte) {
	switch {
	case len(line) > len(lengthLine) && bytes.EqualFold(line[:len(lengthLine)], lengthLine):
		f.length = atoi(bytes.TrimSpace(line[len(lengthLine):]))
	case bytes.EqualFold(line, chunkedLine):
		f.chunked = true
	case bytes.EqualFold(line, closeLine):
		f.closes = true
	}
}

// atoi is strconv.Atoi without a string.
func atoi(digits []byte) (n int) {
	for _, digit := range digits {
		n = n*10 + int(digit-'0')
	}
	return n
}

func (c *conn) drop(f frame) error {
	if f.status == 304 {
		return nil
	}
	if !f.chunked {
		_, err := c.read.Discard(f.length)
		return err
	}
	for {
		line, err := c.read.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return fmt.Errorf("%w: %w", errFrame, err)
		}
		if _, err := c.read.Discard(int(size) + len("\r\n")); err != nil || size == 0 {
			return err
		}
	}
}

// Once sends a request on a new connection and returns the whole answer.
func Once(ctx context.Context, addr string, request *Request) (*Answer, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	once := *request
	once.Header = append([]string{"Connection", "close"}, request.Header...)
	wire, address := once.bytes()
	if address >= 0 {
		writeClient(wire[address:])
	}
	if _, err := c.Write(wire); err != nil {
		return nil, err
	}
	return readAnswer(c.read)
}

func readAnswer(read *bufio.Reader) (*Answer, error) {
	text := textproto.NewReader(read)
	line, err := text.ReadLine()
	if err != nil {
		return nil, err
	}
	var answer Answer
	if _, err := fmt.Sscanf(line, "HTTP/1.1 %d", &answer.Status); err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	if answer.Header, err = text.ReadMIMEHeader(); err != nil {
		return nil, err
	}
	if answer.Header.Get("Transfer-Encoding") != "" {
		return nil, fmt.Errorf("%w: a whole answer has a length", errFrame)
	}
	answer.Body, err = io.ReadAll(read)
	return &answer, err
}
