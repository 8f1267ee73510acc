package mutants

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// change breaks one thing of a service.
type change func(*harness.Changes)

// wired replaces what the routes are made of.
func wired(alter func(*app.Wiring)) change {
	return func(b *harness.Changes) { b.Wiring = alter }
}

// tabled changes the route table.
func tabled(alter func([]routes.Route, routes.Limiters) []routes.Route) change {
	return func(b *harness.Changes) {
		build := handlerOf(b)
		b.Handler = func(table []routes.Route, w app.Wiring) http.Handler { return build(alter(table, w.Limiters), w) }
	}
}

// fronted puts a layer in front of the whole service that changes requests or answers. It
// runs in the same process, because a proxy would normalize headers.
func fronted(layer func(next http.Handler, w http.ResponseWriter, r *http.Request)) change {
	return func(b *harness.Changes) {
		build := handlerOf(b)
		b.Handler = func(table []routes.Route, wiring app.Wiring) http.Handler {
			next := build(table, wiring)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { layer(next, w, r) })
		}
	}
}

// handlerOf is what makes the handler of a service so far.
func handlerOf(b *harness.Changes) func([]routes.Route, app.Wiring) http.Handler {
	if b.Handler != nil {
		return b.Handler
	}
	return func(table []routes.Route, w app.Wiring) http.Handler { return routes.New(table, w.Layers) }
}

// both breaks two things that are one mistake only together. The last one is outermost.
func both(changes ...change) change {
	return func(b *harness.Changes) {
		for _, change := range changes {
			change(b)
		}
	}
}

// reply is an answer before it is sent.
type reply struct {
	request *http.Request
	status  int
	header  http.Header
	body    []byte
}

// replies changes the answers of some paths, of all without one.
func replies(alter func(*reply), paths ...string) change {
	return fronted(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if len(paths) > 0 && !slices.Contains(paths, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		recorder := httptest.NewRecorder()
		next.ServeHTTP(recorder, r)
		a := &reply{r, recorder.Code, recorder.Header(), recorder.Body.Bytes()}
		before := len(a.body)
		alter(a)
		if len(a.body) != before {
			a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
		}
		maps.Copy(w.Header(), a.header)
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body) // HEAD has no body
	})
}

// valued changes the value of a header of the answers that have it.
func valued(name string, alter func(string) string, paths ...string) change {
	return replies(func(a *reply) { setValue(a.header, name, alter) }, paths...)
}

// asked changes the value of a header of the requests that have it.
func asked(name string, alter func(string) string) change {
	return requests(func(r *http.Request) { setValue(r.Header, name, alter) })
}

func setValue(header http.Header, name string, alter func(string) string) {
	if value := header.Get(name); value != "" {
		header.Set(name, alter(value))
	}
}

// without removes headers from every answer.
func without(names ...string) change {
	return replies(func(a *reply) {
		for _, name := range names {
			a.header.Del(name)
		}
	})
}

// with sets a header on the answers at paths, or on all answers if there are none.
func with(name, value string, paths ...string) change {
	return replies(func(a *reply) { a.header.Set(name, value) }, paths...)
}

// answered replaces the status of the answers for which when returns true.
func answered(status int, when func(*reply) bool, paths ...string) change {
	return replies(func(a *reply) {
		if when(a) {
			a.status = status
		}
	}, paths...)
}

// restatus replaces a status with another one.
func restatus(from, to int, paths ...string) change {
	return answered(to, func(a *reply) bool { return a.status == from }, paths...)
}

// problems changes every problem record.
func problems(alter func(record map[string]any)) change {
	return replies(func(a *reply) {
		if strings.HasPrefix(a.header.Get("Content-Type"), contract.TypeProblem) {
			a.body = edited(a.body, alter)
		}
	})
}

// documents changes the JSON of answers with status 200 of some paths.
func documents(alter func(object map[string]any), paths ...string) change {
	return replies(func(a *reply) {
		if a.status == http.StatusOK {
			a.body = edited(a.body, alter)
		}
	}, paths...)
}

// rewritten replaces a text in every answer.
func rewritten(old, new string, paths ...string) change {
	return replies(func(a *reply) { a.body = bytes.ReplaceAll(a.body, []byte(old), []byte(new)) }, paths...)
}

// edited changes a body that is a JSON object and returns any other unchanged.
func edited(body []byte, alter func(map[string]any)) []byte {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil || object == nil {
		return body
	}
	alter(object)
	changed, err := json.Marshal(object)
	if err != nil {
		return body
	}
	return changed
}

// requests changes every request before the service sees it.
func requests(alter func(*http.Request)) change {
	return fronted(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		alter(r)
		next.ServeHTTP(w, r)
	})
}

// deaf hides a header from the service if ignored returns true for its value.
func deaf(name string, ignored func(r *http.Request, value string) bool) change {
	return requests(func(r *http.Request) {
		kept := slices.DeleteFunc(slices.Clone(r.Header[name]), func(value string) bool { return ignored(r, value) })
		if r.Header[name] = kept; len(kept) == 0 {
			delete(r.Header, name)
		}
	})
}

// always, equal and atPath are conditions for deaf.
func always(*http.Request, string) bool { return true }

func equal(text string) func(*http.Request, string) bool {
	return func(_ *http.Request, value string) bool { return value == text }
}

func atPath(path string) func(*http.Request, string) bool {
	return func(r *http.Request, _ string) bool { return r.URL.Path == path }
}

// bodies changes the bodies of POST requests to some paths.
func bodies(alter func(r *http.Request, body []byte) []byte, paths ...string) change {
	return requests(func(r *http.Request) {
		if r.Method != http.MethodPost || !slices.Contains(paths, r.URL.Path) {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			body = append(body, "\x00unreadable"...)
		}
		setBody(r, alter(r, body))
	})
}

func setBody(r *http.Request, body []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// objects changes bodies that are one JSON object.
func objects(alter func(object map[string]any), paths ...string) change {
	return bodies(func(_ *http.Request, body []byte) []byte {
		if !json.Valid(body) {
			return body
		}
		return edited(body, alter)
	}, paths...)
}

// arguments changes the arguments of the tools of the website.
func arguments(alter func(tool string, arguments map[string]any)) change {
	return objects(func(message map[string]any) {
		params, _ := message["params"].(map[string]any)
		name, _ := params["name"].(string)
		if arguments, ok := params["arguments"].(map[string]any); ok {
			alter(name, arguments)
		}
	}, contract.PathMCP)
}

// field changes one text of a JSON body.
func field(name string, alter func(string) string, paths ...string) change {
	return objects(func(object map[string]any) {
		if text, ok := object[name].(string); ok {
			object[name] = alter(text)
		}
	}, paths...)
}

// at runs code around the handlers of some routes, behind all layers.
func at(around func(next middleware.HandlerFunc, limit routes.Limiters, w http.ResponseWriter, r *http.Request) error,
	paths ...string) change {
	return routed(func(route *routes.Route, limit routes.Limiters) {
		next := route.Handler
		route.Handler = func(w http.ResponseWriter, r *http.Request) error { return around(next, limit, w, r) }
	}, paths...)
}

// routed changes the rows of the route table of some paths.
func routed(alter func(*routes.Route, routes.Limiters), paths ...string) change {
	return tabled(func(table []routes.Route, limit routes.Limiters) []routes.Route {
		for i := range table {
			if slices.Contains(paths, table[i].Path) {
				alter(&table[i], limit)
			}
		}
		return table
	})
}

func only(header http.Header, name string) string { return strings.Join(header.Values(name), " and ") }
