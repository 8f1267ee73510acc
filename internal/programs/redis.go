package programs

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Redis starts a Redis server that keeps nothing on disk. Further options are those
// of its command line, such as "--maxmemory", "2mb".
func Redis(t testing.TB, options ...string) *Server {
	t.Helper()
	path := Find(t, "redis-server", "apt-get install redis-server")
	addr, port := FreeAddr(t)
	args := append([]string{"--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
		t.TempDir()}, options...)
	server := Listening(t, addr, func() *exec.Cmd {
		return exec.Command(path, args...)
	}, func() error { return redisAnswers(addr) })
	server.URL = "redis://" + addr + "/0"
	return server
}

func redisAnswers(addr string) error {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(conn, "PING\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	// A server with a password answers too.
	if err == nil && strings.TrimSpace(line) != "+PONG" && !strings.HasPrefix(line, "-NOAUTH") {
		err = fmt.Errorf("PING is answered with %q", line)
	}
	return err
}
