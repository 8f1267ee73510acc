package quota

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"frontdesk/internal/expect"
)

func TestParse(t *testing.T) {
	t.Parallel()
	type options = redis.UniversalOptions
	for _, tt := range []struct {
		name, text string
		want       options // but TLS, and what is the same for all
		tls        bool
	}{
		{"plain", "redis://cache:6380", options{Addrs: []string{"cache:6380"}}, false},
		{"default port", "redis://cache", options{Addrs: []string{"cache:6379"}}, false},
		{"IPv6", "redis://[::1]:6379/0", options{Addrs: []string{"[::1]:6379"}}, false},
		{"user, password, database", "redis://desk:p%23w@cache:1/7", options{Addrs: []string{"cache:1"}, Username: "desk", Password: "p#w", DB: 7}, false},
		{"only a password", "redis://:pw@cache:1", options{Addrs: []string{"cache:1"}, Password: "pw"}, false},
		{"TLS", "rediss://cache", options{Addrs: []string{"cache:6379"}}, true},
		{"pool size", "redis://cache/1?pool_size=8", options{Addrs: []string{"cache:6379"}, DB: 1, PoolSize: 8}, false},
		{"Sentinel", "redis://:pw@s1:26379/2?master_name=desk&addr=s2:26379&addr=s3:26380&sentinel_password=p%23",
			options{Addrs: []string{"s1:26379", "s2:26379", "s3:26380"}, MasterName: "desk", SentinelPassword: "p#", Password: "pw", DB: 2}, false},
	} {
		got, err := Parse(tt.text)
		expect.Error(t, tt.name, err, nil)
		if config := got.options.TLSConfig; (config != nil) != tt.tls || (tt.tls && (config.ServerName != "cache" || config.InsecureSkipVerify)) {
			t.Errorf("%s: TLS = %+v", tt.name, config)
		}
		tt.want.DialTimeout, tt.want.PoolSize, got.options.TLSConfig = connectTimeout, cmp.Or(tt.want.PoolSize, connections), nil
		if !reflect.DeepEqual(got.options, tt.want) || !strings.HasSuffix(got.String(), strings.Join(tt.want.Addrs, ",")) || !got.IsSet() {
			t.Errorf("%s: address = %+v, want %+v", tt.name, got.options, tt.want)
		}
	}
	lax := expect.Value(Parse("rediss://cache?skip_verify=true"))(t)
	expect.Same(t, "skip_verify", true, lax.options.TLSConfig.InsecureSkipVerify)
}

// The error quotes no part of the refused text.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "cache:6379", "http://u:hunter2@cache", "unix:///hunter2", "redis:", "redis://", "redis://:hunter2@:6379",
		"redis://u:hunter2@cache:port", "redis://u:hunter2@cache:65536", "redis://hunter2,cache:6379", "redis://u:hunter2%@cache", "redis://u:hunter2#@cache", "redis://u@cache/hunter2",
		"redis://cache/0/1", "redis://cache?pool_size=hunter2", "redis://cache?pool_size=-1", "redis://cache?unknown=hunter2", "redis://cache?addr=hunter2:1", "redis://cache?master_name=m&addr=hunter2", "rediss://cache?skip_verify=hunter2", "redis://cache?skip_verify=true",
		"redis://cache?master_name=m&addr=s2:port", "redis://cache?master_name=m&addr=s2:65536",
		"redis://cache?master_name=m&addr=:1", "redis://cache?sentinel_password=hunter2", "redis://cache?master_name=m&addr=s2,s3:26379",
	} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("Parse(%q) = %+v", text, got)
			continue
		}
		expect.Lacks(t, "Parse("+text+")", err.Error(), "hunter2")
	}
}

// An accepted address names a server, and the error does not quote the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"redis://u:p@h:1/2", "rediss://h?skip_verify=true", "redis://u:p%@h", "redis://u:p#@h/x", "redis://h?x=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		address, err := Parse(text)
		expect.Same(t, fmt.Sprintf("Parse(%q) = %+v", text, address), err == nil, address.IsSet())
		if err != nil && err != errAddress {
			t.Errorf("Parse(%q): %v", text, err)
		}
	})
}
