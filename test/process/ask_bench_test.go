package process_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// BenchmarkAsk is the price of a question in CPU time of the service and of Redis, when
// limits are counted in memory and in Redis. Each question is of a client of its own.
//
//	go test -run '^$' -bench Ask -benchtime 50000x ./test/process
func BenchmarkAsk(b *testing.B) {
	for _, shared := range []bool{false, true} {
		name := map[bool]string{false: "memory", true: "redis"}[shared]
		b.Run(name, func(b *testing.B) {
			environ := []string{"FRONTDESK_TRUSTED_PROXIES=127.0.0.1", "FRONTDESK_LOG_FORMAT=json"}
			redisCPU := func() float64 { return 0 }
			if shared {
				server := programs.Redis(b)
				environ = append(environ, "FRONTDESK_REDIS_URL="+server.URL)
				client := redis.NewClient(&redis.Options{Addr: server.Addr})
				defer client.Close()
				redisCPU = func() float64 { return cpuOfRedis(b, client) }
			}
			process, url, log := harness.StartProcess(b, environ...)
			before, redisBefore := cpuOf(b, process.Process.Pid), redisCPU()
			b.ResetTimer()
			askAll(b, url+contract.PathAsk)
			b.StopTimer()
			perQuestion := 1e6 / float64(b.N)
			b.ReportMetric((cpuOf(b, process.Process.Pid)-before)*perQuestion, "service-µs/op")
			b.ReportMetric((redisCPU()-redisBefore)*perQuestion, "redis-µs/op")
			if strings.Contains(log.String(), "cannot use Redis") {
				b.Error("Redis was too slow on this machine: the figures are those of memory")
			}
		})
	}
}

var clients atomic.Uint32

func askAll(b *testing.B, url string) {
	body := []byte(harness.Question("Who is it for?"))
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for pb.Next() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, bytes.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			n := clients.Add(1)
			request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255))
			response, err := client.Do(request)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			expect.Same(b, "status", http.StatusOK, response.StatusCode)
		}
	})
}

func cpuOf(b *testing.B, pid int) float64 {
	b.Helper()
	const ticksPerSecond = 100 // USER_HZ of every architecture that Go runs on
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("needs the proc file system of Linux: ", err)
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program may hold spaces
	fields := strings.Fields(after)
	var sum float64
	for _, field := range fields[11:13] {
		ticks := expect.Value(strconv.ParseFloat(field, 64))(b)
		sum += ticks / ticksPerSecond
	}
	return sum
}

var usedCPU = regexp.MustCompile(`used_cpu_(?:sys|user):([0-9.]+)`)

func cpuOfRedis(b *testing.B, client *redis.Client) float64 {
	b.Helper()
	info := expect.Value(client.Info(b.Context(), "cpu").Result())(b)
	var sum float64
	for _, found := range usedCPU.FindAllStringSubmatch(info, -1) {
		seconds := expect.Value(strconv.ParseFloat(found[1], 64))(b)
		sum += seconds
	}
	return sum
}
