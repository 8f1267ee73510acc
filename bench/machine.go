package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Machine is where and when the figures were measured.
type Machine struct {
	CPU         string
	CPUs        int
	System      string
	Go          string
	Date        string
	Load        string // the load average before and after
	ApartDriver bool   // the driver had a processor of its own
}

func thisMachine(apart bool) Machine {
	return Machine{
		CPU: processor(), CPUs: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Date: time.Now().Format(time.DateOnly), Load: loadAverage(), ApartDriver: apart && runtime.NumCPU() > 1,
	}
}

func (m Machine) String() string {
	text := fmt.Sprintf("%d processors (%s), %s, %s, %s; load average %s", m.CPUs, m.CPU, m.System, m.Go, m.Date, m.Load)
	if m.ApartDriver {
		text += "; the driver on a processor of its own, the server on the others"
	}
	return text
}

func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	_, after, _ := bytes.Cut(info, []byte("model name"))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return strings.TrimSpace(strings.TrimLeft(string(line), "\t :"))
}

// loadAverage returns the load average of the last minute.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}
