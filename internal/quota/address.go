package quota

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Address is where Redis is and how to log in. The zero value means no Redis. It prints
// itself without user and password.
type Address struct {
	server             string // host:port
	username, password string
	db                 int
	tls                *tls.Config // nil without TLS
}

// skipVerify is the only option of a URL that is supported: some vendors of Redis use
// certificates that no known authority signed.
const skipVerify = "skip_verify"

// Faults of an address. None of them quotes the text, because it holds a password.
var (
	errAddress = errors.New("is not an address such as redis://user:password@host:6379/0, or rediss:// with TLS " +
		"(in the password write %23 for #, %2F for /, %40 for @ and %3A for :)")
	errOption   = errors.New("has an unknown option after the question mark: the only one is " + skipVerify + "=true, with rediss://")
	errDatabase = errors.New("ends wrongly: only a slash and the number of the database may follow the host")
)

// Parse reads redis://user:password@host:port/db, or rediss:// for TLS.
func Parse(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Fragment != "" || (u.Scheme != "redis" && u.Scheme != "rediss") {
		return Address{}, errAddress
	}
	if _, err := strconv.ParseUint(cmp.Or(u.Port(), "0"), 10, 16); err != nil {
		return Address{}, errAddress
	}
	lax := u.Scheme == "rediss" && u.RawQuery == skipVerify+"=true"
	if u.RawQuery != "" && !lax {
		return Address{}, errOption
	}
	options, err := redis.ParseURL(text)
	if err != nil || options.DB < 0 {
		return Address{}, errDatabase
	}
	return Address{options.Addr, options.Username, options.Password, options.DB, options.TLSConfig}, nil
}

// IsSet reports whether there is a Redis.
func (a Address) IsSet() bool { return a.server != "" }

// String is host:port.
func (a Address) String() string { return a.server }

// connections is the size of the pool, which is always full: a request that had to
// connect first would need three round trips instead of one, and so exceed callTimeout
// when Redis is more than 33 ms away. A connection carries some ten thousand decisions
// a second when Redis is near, and ten when it is 100 ms away.
const connections = 32

// maxIdle is shorter than the time after which networks silently drop an unused
// connection, which is four minutes or more. A request on such a connection would wait
// in vain.
const maxIdle = 3 * time.Minute

// client returns a client with new connections.
func (a Address) client() *redis.Client {
	redis.SetLogger(silence{})
	return redis.NewClient(&redis.Options{
		Addr: a.server, Username: a.username, Password: a.password, DB: a.db, TLSConfig: a.tls,
		PoolSize: connections, MinIdleConns: connections, PipelinePoolSize: -1,
		ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10,
		// A call ends with its context and is never repeated, because its caller waits.
		ContextTimeoutEnabled: true, MaxRetries: -1, DialerRetries: 1, DialTimeout: connectTimeout,
		ConnMaxIdleTime: maxIdle,
		// Old servers and proxies reject the commands by which go-redis introduces itself.
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}

// silence discards what go-redis would write to standard error. Everything that matters
// is returned as an error.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}
