package programs

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// PgBouncer starts a PgBouncer in transaction mode in front of a PostgreSQL server,
// with few server connections, so that clients have to share them.
func PgBouncer(t testing.TB, postgres *Server) *Server {
	t.Helper()
	path := Find(t, "pgbouncer", "apt-get install pgbouncer", "/usr/sbin/pgbouncer")
	dir := postgresFolder(t)
	addr, port := FreeAddr(t)
	host, serverPort, err := net.SplitHostPort(postgres.Addr)
	if err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
postgres = user=desk host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
auth_file =
pool_mode = transaction
default_pool_size = 2
`, host, serverPort, port)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		giveToPostgres(t, settings)
	}
	server := &Server{
		Addr: addr, URL: "postgres://desk@" + addr + "/postgres?sslmode=disable", t: t, output: &safeBuffer{},
		command: func() *exec.Cmd { return asPostgres(path, settings) },
		ready: func() error {
			conn, err := net.DialTimeout("tcp", addr, time.Second)
			if err == nil {
				err = conn.Close()
			}
			return err
		},
	}
	t.Cleanup(server.Kill)
	server.Start()
	return server
}

// giveToPostgres makes a file the user postgres's own.
func giveToPostgres(t testing.TB, path string) {
	t.Helper()
	account, err := user.Lookup("postgres")
	if err != nil {
		Missing(t, "the user postgres", installPostgres)
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
}
