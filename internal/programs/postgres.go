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

	"frontdesk/internal/expect"
)

// installPostgres installs Debian's PostgreSQL.
const installPostgres = "apt-get install postgresql"

// Postgres starts a PostgreSQL server with an empty database.
func Postgres(t testing.TB) *Server {
	t.Helper()
	bin := "/usr/lib/postgresql/*/bin/"
	initdb := Find(t, "initdb", installPostgres, bin+"initdb")
	postgres := Find(t, "postgres", installPostgres, bin+"postgres")
	isReady := Find(t, "pg_isready", installPostgres, bin+"pg_isready")
	if os.Getuid() == 0 {
		Find(t, "setpriv", "apt-get install util-linux")
	}
	dir := postgresFolder(t)
	data := filepath.Join(dir, "data")
	if out, err := asPostgres(initdb, "-D", data, "-U", "desk", "--auth=trust", "--no-sync", "--encoding=UTF8",
		"--no-locale").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	addr, port := FreeAddr(t)
	server := Listening(t, addr, func() *exec.Cmd {
		// No test outlives the machine, and a sync to a busy disk may take longer than a call waits.
		return asPostgres(postgres, "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c",
			"unix_socket_directories=", "-c", "fsync=off")
	}, func() error { return exec.Command(isReady, "-q", "-h", "127.0.0.1", "-p", port, "-U", "desk").Run() })
	server.URL = "postgres://desk@" + addr + "/postgres?sslmode=disable"
	return server
}

// postgresFolder makes a folder that the user postgres can use. The folders of t.TempDir
// are inside one that only the user of the test can enter.
func postgresFolder(t testing.TB) string {
	t.Helper()
	dir := expect.Value(os.MkdirTemp("", "frontdesk-postgres"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	giveToPostgres(t, dir)
	return dir
}

// asPostgres is a command of PostgreSQL, which refuses to run as root.
func asPostgres(program string, args ...string) *exec.Cmd {
	if os.Getuid() != 0 {
		return exec.Command(program, args...)
	}
	return exec.Command("setpriv",
		append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups", program}, args...)...)
}

// PgBouncer starts a PgBouncer in transaction mode in front of a PostgreSQL server,
// with few server connections, so that clients have to share them.
func PgBouncer(t testing.TB, postgres *Server) *Server {
	t.Helper()
	path := Find(t, "pgbouncer", "apt-get install pgbouncer", "/usr/sbin/pgbouncer")
	dir := postgresFolder(t)
	addr, port := FreeAddr(t)
	host, serverPort, _ := net.SplitHostPort(postgres.Addr)
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
	expect.OK(t, os.WriteFile(settings, []byte(text), 0o600))
	giveToPostgres(t, settings)
	server := Listening(t, addr, func() *exec.Cmd { return asPostgres(path, settings) }, func() error {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			err = conn.Close()
		}
		return err
	})
	server.URL = "postgres://desk@" + addr + "/postgres?sslmode=disable"
	return server
}

// giveToPostgres makes a file the user postgres's own, if root has made it.
func giveToPostgres(t testing.TB, path string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		Missing(t, "the user postgres", installPostgres)
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	expect.OK(t, os.Chown(path, uid, gid))
}
