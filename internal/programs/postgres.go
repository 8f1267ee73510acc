package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
	if out, err := asPostgres(initdb, "-D", data, "-U", "desk", "--auth=trust", "--no-sync", "--encoding=UTF8", "--no-locale").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	addr, port := FreeAddr(t)
	server := &Server{
		Addr: addr, URL: "postgres://desk@" + addr + "/postgres?sslmode=disable", t: t, output: &safeBuffer{},
		command: func() *exec.Cmd {
			return asPostgres(postgres, "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
		},
		ready: func() error { return exec.Command(isReady, "-q", "-h", "127.0.0.1", "-p", port, "-U", "desk").Run() },
	}
	t.Cleanup(server.Kill)
	server.Start()
	return server
}

// postgresFolder makes a folder that the user postgres can use. The folders of t.TempDir
// are inside one that only the user of the test can enter.
func postgresFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "frontdesk-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if os.Getuid() != 0 {
		return dir
	}
	giveToPostgres(t, dir)
	return dir
}

// asPostgres is a command of PostgreSQL, which refuses to run as root.
func asPostgres(program string, args ...string) *exec.Cmd {
	if os.Getuid() != 0 {
		return exec.Command(program, args...)
	}
	return exec.Command("setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups", program}, args...)...)
}
