package quota

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func (l lines) next(t testing.TB, part string) (line string) {
	t.Helper()
	select {
	case line = <-l:
		expect.Holds(t, "the log", line, part)
	case <-time.After(10 * time.Second):
		t.Fatalf("the log never says %q", part)
	}
	return line
}

func (l lines) nothing(t testing.TB) {
	t.Helper()
	select {
	case line := <-l:
		t.Errorf("the log says %s", line)
	default:
	}
}

const (
	saysShared = "shared by all instances through"
	saysLocal  = "each instance applies the limits by itself"
	saysAgain  = "works again"
)

// On a busy machine a call may take longer than the service would wait, and a test of what Redis decides must not fall
// back to the instance.
var (
	patient = times{call: 10 * time.Second, pause: 50 * time.Millisecond}
	brief   = times{call: 10 * CallTimeout, pause: 50 * time.Millisecond} // for tests of the wait itself
)

type instance struct {
	*Store
	log lines
}

func startInstance(t testing.TB, url string, times times) instance {
	t.Helper()
	address := expect.Value(Parse(url))(t)
	if times == patient {
		address.options.DialTimeout = times.call
	}
	log := make(lines, 1000)
	i := instance{open(t.Context(), address, nil, zerolog.New(log), times), log}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { i.Run(ctx); close(ended) }()
	t.Cleanup(func() {
		stop()
		<-ended
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

// startShared waits until Redis is used.
func startShared(t testing.TB, server *programs.Server) instance {
	t.Helper()
	i := startInstance(t, server.URL, patient)
	i.log.next(t, saysShared)
	return i
}

func direct(t testing.TB, server *programs.Server) *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func try(t testing.TB, client *redis.Client, command ...any) {
	t.Helper()
	expect.OK(t, client.Do(t.Context(), command...).Err())
}

func client(n byte) limits.Client { return limits.ClientOf(netip.AddrFrom4([4]byte{192, 0, 2, n})) }
