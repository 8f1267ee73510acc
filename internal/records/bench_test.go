package records

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// BenchmarkOpen is a cold start: a new database, made and migrated.
func BenchmarkOpen(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		for b.Loop() {
			b.StopTimer()
			database := at(b)
			b.StartTimer()
			store, err := Open(context.Background(), database)
			expect.OK(b, err)
			store.Close()
		}
	})
}

// BenchmarkReopen is a start on what is there.
func BenchmarkReopen(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		database := at(b)
		openAt(b, database)
		for b.Loop() {
			store, err := Open(context.Background(), database)
			expect.OK(b, err)
			store.Close()
		}
	})
}

// BenchmarkAddInquiry is one inquiry, on the disk.
func BenchmarkAddInquiry(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		store := openAt(b, at(b))
		for n := 0; b.Loop(); n++ {
			expect.OK(b, store.AddInquiry(context.Background(), sample(n)))
		}
	})
}

func eachBenchmark(b *testing.B, benchmark func(b *testing.B, at func(testing.TB) Options)) {
	for name, at := range databases {
		b.Run(name, func(b *testing.B) { benchmark(b, at) })
	}
}

func BenchmarkFindInquiries(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		store := openAt(b, at(b))
		for n := range 1000 {
			inquiry := sample(n)
			inquiry.Message = strings.Repeat(fmt.Sprint("message ", n, " "), 50)
			expect.OK(b, store.AddInquiry(b.Context(), inquiry))
		}
		for b.Loop() {
			expect.OK(b, expect.ErrorOf(store.Inquiries(b.Context(), InquiryQuery{View: OpenInquiries, Text: "message 999", Page: Page{Limit: 25}})))
		}
	})
}

// BenchmarkExport is an export of a thousand inquiries.
func BenchmarkExport(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		store := openAt(b, at(b))
		for n := range 1000 {
			expect.OK(b, store.AddInquiry(b.Context(), sample(n)))
		}
		for b.Loop() {
			expect.OK(b, store.Export(b.Context(), io.Discard, time.Time{}))
		}
	})
}
