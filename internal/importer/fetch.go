package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"frontdesk/contract"
)

const maxSize = 5 << 20 // of a source, bytes

// Fetch reads a file or one address, of which it returns the Content-Type too. It follows
// no redirect and loads nothing that a page refers to.
func Fetch(ctx context.Context, name string) (text []byte, mediaType string, err error) {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		file, err := os.Open(name)
		if err != nil {
			return nil, "", err
		}
		defer file.Close()
		text, err = bounded(file)
		return text, "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, name, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("User-Agent", contract.Product)
	request.Header.Set("Accept", "text/html, text/csv;q=0.9, */*;q=0.1")
	client := &http.Client{Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	if location, err := response.Location(); err == nil {
		return nil, "", fmt.Errorf("%s redirects to %s; if that is the page you mean, import it", name, location)
	}
	if response.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("%s answered %d %s", name, response.StatusCode, http.StatusText(response.StatusCode))
	}
	text, err = bounded(response.Body)
	return text, response.Header.Get("Content-Type"), err
}

func bounded(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err == nil && len(text) > maxSize {
		err = errors.New("the source is larger than 5 MiB")
	}
	return text, err
}
