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

// Address says where Redis is and how to log in. The zero value is none. It prints
// itself without user and password.
type Address struct {
	server             string // host:port
	username, password string
	db                 int
	tls                *tls.Config // nil without
}

// skipVerify is the one option of a URL that is read: some vendors of Redis have
// certificates that nobody vouches for.
const skipVerify = "skip_verify"

// What is wrong with an address. None of them shows the text, which holds a password.
var (
	errAddress = errors.New("is not an address such as redis://user:password@host:6379/0, or rediss:// with TLS " +
		"(in the password write %23 for #, %2F for /, %40 for @ and %3A for :)")
	errOption   = errors.New("has an option after the question mark that is not read: there is only " + skipVerify + "=true, with rediss://")
	errDatabase = errors.New("has a wrong end: after the host comes at most a slash and the number of the database")
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

// Connections of a client: how many are always there, so that a request hardly ever
// has to wait for a new one, and how many there may be. One carries some ten
// thousand decisions a second where Redis is near, and ten where it is 100 ms away.
const (
	idleConnections = 4
	maxConnections  = 32
)

// maxIdle is below the times after which networks forget a connection that is not
// used, from four minutes on: a request on one would wait for nothing.
const maxIdle = 3 * time.Minute

// client returns a client of its own connections.
func (a Address) client() *redis.Client {
	redis.SetLogger(silence{})
	return redis.NewClient(&redis.Options{
		Addr: a.server, Username: a.username, Password: a.password, DB: a.db, TLSConfig: a.tls,
		PoolSize: maxConnections, MinIdleConns: idleConnections, PipelinePoolSize: -1,
		ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10,
		// A call ends with its context and is never tried again: its caller waits.
		ContextTimeoutEnabled: true, MaxRetries: -1, DialerRetries: 1, DialTimeout: connectTimeout,
		ConnMaxIdleTime: maxIdle,
		// Old servers and proxies do not know what go-redis likes to tell of itself.
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}

// silence keeps go-redis from writing to standard error, which it does for all its
// clients together: what matters comes back as an error.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}
