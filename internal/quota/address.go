package quota

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Address is where Redis is and how to log in. The zero value means no Redis. It prints
// itself without user and password.
type Address struct{ options redis.UniversalOptions }

// Options of a URL for Sentinel: with masterName the URL's host is a sentinel, each addr names another one, and
// sentinelPassword is their password. The URL's user and password are the master's.
const (
	masterName       = "master_name"
	addr             = "addr"
	sentinelPassword = "sentinel_password"
)

// knownOptions are all options of a URL. go-redis has more, which frontdesk sets itself.
var knownOptions = []string{masterName, addr, sentinelPassword, "pool_size", "skip_verify"}

// Faults of an address. None of them quotes the text, because it holds a password.
var (
	errAddress = errors.New("is not an address such as redis://user:password@host:6379/0, or rediss:// with TLS " +
		"(in the password write %23 for #, %2F for /, %40 for @ and %3A for :). Options after a question mark: " +
		"pool_size=32, skip_verify=true (with rediss://); for Sentinel " + masterName + "=NAME, " + addr +
		"=HOST:PORT for each further sentinel, and " + sentinelPassword + "=PASSWORD if they have one")
	// ErrCluster reports a node of a Redis Cluster.
	ErrCluster = errors.New("is a node of a Redis Cluster, which frontdesk does not support: use one server, a " +
		"replicated pair behind one address, or Sentinel (?" + masterName + "=NAME)")
)

// Parse reads redis://user:password@host:port/db, or rediss:// for TLS, with the options
// after a question mark.
func Parse(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Fragment != "" || (u.Scheme != "redis" && u.Scheme != "rediss") {
		return Address{}, errAddress
	}
	query := u.Query()
	for option := range query {
		if !slices.Contains(knownOptions, option) {
			return Address{}, errAddress
		}
	}
	servers, master, password := query[addr], query.Get(masterName), query.Get(sentinelPassword)
	for _, option := range []string{masterName, addr, sentinelPassword} {
		query.Del(option)
	}
	u.RawQuery = query.Encode()
	options, err := redis.ParseURL(u.String())
	if err != nil || options.DB < 0 || options.PoolSize < 0 {
		return Address{}, errAddress
	}
	servers = append([]string{options.Addr}, servers...)
	if master == "" && (len(servers) > 1 || password != "") || slices.ContainsFunc(servers, isNoServer) {
		return Address{}, errAddress
	}
	return Address{redis.UniversalOptions{
		Addrs: servers, MasterName: master, SentinelPassword: password,
		Username: options.Username, Password: options.Password, DB: options.DB, TLSConfig: options.TLSConfig,
		PoolSize: cmp.Or(options.PoolSize, connections), DialTimeout: connectTimeout,
	}}, nil
}

// isNoServer reports whether text is not the host:port of one server.
func isNoServer(text string) bool {
	host, port, err := net.SplitHostPort(text)
	_, portErr := strconv.ParseUint(port, 10, 16)
	return err != nil || portErr != nil || host == "" || strings.Contains(text, ",")
}

// IsSet reports whether there is a Redis.
func (a Address) IsSet() bool { return len(a.options.Addrs) > 0 }

// String is host:port, or the master's name and its sentinels.
func (a Address) String() string {
	servers := strings.Join(a.options.Addrs, ",")
	if a.options.MasterName != "" {
		return a.options.MasterName + " by the sentinels " + servers
	}
	return servers
}

// connections is the size of the pool unless the URL sets it. The pool is always full: a request that had to
// connect first would need three round trips instead of one, and so exceed CallTimeout
// when Redis is more than 33 ms away. A connection carries some ten thousand decisions
// a second when Redis is near, and ten when it is 100 ms away.
const connections = 32

// maxIdle is shorter than the time after which networks silently drop an unused
// connection, which is four minutes or more. A request on such a connection would get
// no reply.
const maxIdle = 3 * time.Minute

// client returns a client with new connections.
func (a Address) client() *redis.Client {
	logging.Disable() // everything that matters is returned as an error
	options := a.options
	options.MinIdleConns, options.PipelinePoolSize = options.PoolSize, -1
	options.ReadBufferSize, options.WriteBufferSize = 4<<10, 4<<10
	// A call ends with its context and is never repeated, because its caller waits.
	options.ContextTimeoutEnabled, options.MaxRetries, options.DialerRetries = true, -1, 1
	options.ConnMaxIdleTime = maxIdle
	// Old servers and proxies reject the commands by which go-redis introduces itself.
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	if options.MasterName != "" {
		return redis.NewFailoverClient(options.Failover())
	}
	return redis.NewClient(options.Simple())
}

// Check returns why Redis cannot be used, or nil. The error for a node of a Redis Cluster is ErrCluster, because it
// would refuse the keys of other nodes.
func (a Address) Check(ctx context.Context) error {
	a.options.PoolSize = 1
	client := a.client()
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if info, err := client.Info(ctx, "cluster").Result(); err == nil && strings.Contains(info, "cluster_enabled:1") {
		return ErrCluster
	}
	return a.probe(ctx, client, CallTimeout)
}

// probe calls decide twice: first with the time to connect, then within call, which is how long a request waits.
func (a Address) probe(ctx context.Context, client *redis.Client, call time.Duration) error {
	if err := decide(ctx, client, a.options.DialTimeout); err != nil {
		return err
	}
	return decide(ctx, client, call)
}
