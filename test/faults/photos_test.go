package faults

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// TestLargePhotos puts twenty photos of 12 megapixels and pictures of other extreme sizes
// into the content of a service with 256 MiB: it answers on, with all of them, and
// starts again. What is too large is refused with the size to use.
func TestLargePhotos(t *testing.T) {
	long(t)
	const limit = 256 << 20
	place, ok := ownCgroup(t, quota{memory: limit})
	if !ok {
		t.Skip("this machine allows no cgroup of the test's own, so nothing would end a service that takes more memory than it has")
	}
	contentDir := smallContent(t)
	s := setup{
		dir: t.TempDir(), command: place.command,
		environ: []string{withAdmin, "FRONTDESK_ENCODER=on", "FRONTDESK_SMTP_URL=file:", "FRONTDESK_CONTENT=" + contentDir},
	}
	p := s.start(t)
	c := newCaller(t, p.url)
	wantRefunds(t, c, "Within 30 days.")

	beside := t.TempDir()
	add := func(name string, picture []byte) {
		expect.OK(t, os.WriteFile(filepath.Join(beside, name), picture, 0o600))
	}
	photo := asJPEG(t, image.Rect(0, 0, 4000, 3000))
	for i := range 20 {
		add(fmt.Sprintf("photo-%d.jpg", i), append(photo, byte(i))) // another file each time
	}
	add("scan.jpg", asJPEG(t, image.Rect(0, 0, 4960, 7016))) // A4 at 600 dpi
	add("screenshot.png", asPNG(t, 1700, 8000))
	add("camera.jpg", asJPEG(t, image.Rect(0, 0, 6000, 8000)))
	expect.OK(t, os.Rename(beside, filepath.Join(contentDir, "assets")))
	cache := filepath.Join(s.dir, "images")
	variants := func() int {
		made, _ := os.ReadDir(cache) // not there yet
		return len(made)
	}
	wait := func(text string) { // for as long as variants are made
		t.Helper()
		for arrived, before := false, 0; !arrived; before = variants() {
			eventually(t, text, func() bool {
				select {
				case err := <-p.ended:
					t.Fatalf("the process has ended: %v\n%s", err, p.log)
				default:
				}
				log := p.log.String()
				if arrived = strings.Contains(log, text); !arrived && strings.Contains(log, refusedContent) {
					t.Fatalf("the content is refused:\n%s", log)
				}
				return arrived || variants() > before
			})
		}
	}
	wait(tookContent)
	c.checkRest(t)

	tooLarge := filepath.Join(contentDir, "assets", "large.png")
	expect.OK(t, os.WriteFile(tooLarge, asPNG(t, 4960, 7016), 0o600))
	wait(refusedContent)
	if checked, err := s.tried(t, "check", contentDir); err == nil || !strings.Contains(checked, "make it at most 4217 × 5966") {
		t.Errorf("check of a picture that is too large: %v\n%s", err, checked)
	}
	expect.OK(t, os.Remove(tooLarge))
	c.checkRest(t)
	t.Logf("%s of %d MiB: at most %d MiB, files included, after %s s of processor", place.how, limit>>20, place.watch(t, p)()>>20, p.metric(t, "process_cpu_seconds_total"))
	p.stop()

	if n := variants(); n < 20*3 {
		t.Errorf("%d variants are made, want three of each photo", n)
	}
	p = s.start(t)
	newCaller(t, p.url).checkRest(t)
	p.stop()
}

// asJPEG is a picture of gentle colours, as a camera makes it.
func asJPEG(t *testing.T, size image.Rectangle) []byte {
	t.Helper()
	picture := image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
	for i := range picture.Y {
		picture.Y[i] = byte(i % picture.YStride * 255 / picture.YStride)
	}
	for i := range picture.Cb {
		picture.Cb[i], picture.Cr[i] = byte(i>>12), byte(i>>14)
	}
	var b bytes.Buffer
	expect.OK(t, jpeg.Encode(&b, picture, nil))
	return b.Bytes()
}

// asPNG is a screenshot of a line.
func asPNG(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		picture.Set(x, x, color.NRGBA{R: 200, A: 255})
	}
	var b bytes.Buffer
	expect.OK(t, png.Encode(&b, picture))
	return b.Bytes()
}
