package owner_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// aPicture is a file with a picture of so many pixels.
func aPicture(t *testing.T, width, height int, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	var file bytes.Buffer
	expect.OK(t, encode(&file, image.NewGray(image.Rect(0, 0, width, height))))
	return file.Bytes()
}

func asJPEG(w io.Writer, picture image.Image) error { return jpeg.Encode(w, picture, nil) }

// upload sends the form of a page with a file in an input, under a name.
func (d *desk) upload(t *testing.T, page, input, name string, file []byte, values ...string) answer {
	t.Helper()
	form := formOf(d.get(t, page))
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for key, all := range form {
		for _, value := range all {
			expect.OK(t, parts.WriteField(key, value))
		}
	}
	part := expect.Value(parts.CreateFormFile(input, name))(t)
	expect.OK(t, expect.ErrorOf(part.Write(file)))
	expect.OK(t, parts.Close())
	r := expect.Value(http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+page, &body))(t)
	r.Header.Set("Content-Type", parts.FormDataContentType())
	r.Header.Set("Accept-Language", "en")
	response := expect.Value(d.http.Do(r))(t)
	defer response.Body.Close()
	return answer{response, string(expect.Value(io.ReadAll(response.Body))(t))}
}

// files are the names and the texts of all files of the content.
func (d *desk) files(t *testing.T) map[string]string {
	t.Helper()
	return expect.Files(t, os.DirFS(d.content), ".")
}

// TestPictures adds pictures in the forms that show them, and by themselves, replaces one, removes what is no longer used,
// and undoes everything.
func TestPictures(t *testing.T) {
	expect.SkipInRace(t, "it makes photos smaller, one after the other")
	t.Parallel()
	const page = "/owner/pictures/new"
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.files(t)
	d.shows(t, page, `<label for="upload">Picture</label>`)
	photo := aPicture(t, 3000, 1500, asJPEG)
	made := func(preview answer) {
		t.Helper()
		d.want(t, "the change", preview, http.StatusOK, "Make it live", "<span>Picture ", `<img class="picture" src="/owner/picture/`)
		action := preview.Request.URL.Path
		d.want(t, "made", d.post(t, action, hiddenOf(preview)), http.StatusSeeOther)
	}
	service := d.live.Content.Services[0]
	form := "/owner/services/" + service.ID + "/edit"
	shown := d.upload(t, form, "picture.upload", `..\../"x".svg`, photo, "picture_alt", "Ein Käsekuchen", "picture_alt.en", "")
	d.want(t, "a picture whose text is missing is kept with the form", d.upload(t, form, "picture.upload", "x.jpg", photo, "name", "", "name.en", "", "picture_alt", "Ein Käsekuchen"),
		http.StatusUnprocessableEntity, `name="picture.upload" value="`, `<img class="picture" src="/owner/picture/`)
	made(shown)
	d.shows(t, "/owner/pictures", "ein-kasekuchen.jpg", `src="/owner/picture/ein-kasekuchen.jpg"`, "“"+service.Name+"”")
	if got := d.live.Content.Services[0].Picture; got == nil || got.Alt != "Ein Käsekuchen" || !strings.HasPrefix(got.URL, "/assets/ein-kasekuchen.") {
		t.Errorf("the picture of the service is %+v", got)
	}
	sent := d.get(t, "/owner/picture/ein-kasekuchen.jpg")
	config, format, err := image.DecodeConfig(strings.NewReader(sent.Text))
	if err != nil || format != "jpeg" || config.Width != 2000 || config.Height != 1000 || sent.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the picture is a %s of %d × %d, %v, %s", format, config.Width, config.Height, err, sent.Header.Get("Content-Type"))
	}

	logo := aPicture(t, 64, 64, png.Encode)
	made(d.upload(t, "/owner/look", "brand.logo.upload", "logo.png", logo, "brand.logo_alt", "Ofen"))
	expect.Same(t, "the logo", "ofen.png", d.live.Content.Brand.Logo.Name)
	made(d.upload(t, page, "upload", "x.png", logo))
	if _, kept := d.files(t)["assets/picture.png"]; !kept {
		t.Error("a picture without a place is not kept")
	}

	made(d.upload(t, page, "upload", "x.png", logo, "alt", "Fen"))
	d.change(t, "/owner/pictures/fen.png/remove") // its name is in that of one that is used
	d.want(t, "one that is used", d.get(t, "/owner/pictures/ofen.png/remove"), http.StatusUnprocessableEntity, "Please change these first: Logo")
	d.change(t, "/owner/pictures/picture.png/remove")
	if strings.Contains(d.get(t, "/owner/pictures/ofen.png/edit").Text, `name="alt"`) {
		t.Error("what the picture shows is asked again, though its name stays")
	}
	d.want(t, "another kind", d.upload(t, "/owner/pictures/ofen.png/edit", "upload", "x.jpg", photo), http.StatusUnprocessableEntity, "of the same kind")
	made(d.upload(t, "/owner/pictures/ein-kasekuchen.jpg/edit", "upload", "x.jpg", aPicture(t, 100, 100, asJPEG)))
	if got := expect.Value(jpeg.DecodeConfig(strings.NewReader(d.files(t)["assets/ein-kasekuchen.jpg"])))(t); got.Width != 100 {
		t.Errorf("the replaced picture is %d wide", got.Width)
	}
	d.undoAll(t)
	expect.Same(t, "the content after all is undone", before, d.files(t))
}

// TestHostileUploads: what is no picture, and forms that are not signed in or have no token,
// change nothing.
func TestHostileUploads(t *testing.T) {
	t.Parallel()
	const page = "/owner/pictures/new"
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.files(t)
	photo := aPicture(t, 30, 30, asJPEG)
	for name, tt := range map[string]struct{ file, want string }{
		"SVG": {`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`, "This is an SVG drawing."}, "GIF": {"GIF89a" + strings.Repeat("\x00", 40), "This is a GIF."},
		"HEIC": {"\x00\x00\x00\x18ftypheic" + strings.Repeat("\x00", 40), "This is a HEIC photo"},
	} {
		d.want(t, name, d.upload(t, page, "upload", "shop.jpg", []byte(tt.file), "alt", "A"), http.StatusConflict, tt.want)
	}
	for name, file := range map[string]string{
		"a page": "<!doctype html><script>alert(1)</script>",
		"YAML":   "business: {name: x}", "nothing": "", "half a photo": string(photo[:len(photo)/3]),
	} {
		d.want(t, name, d.upload(t, page, "upload", "shop.jpg", []byte(file), "alt", "A"), http.StatusConflict, "cannot be used as a picture")
	}
	d.want(t, "no file", d.post(t, page, formOf(d.get(t, page))), http.StatusUnprocessableEntity, "“Picture” is empty.")
	d.want(t, "a large file", d.upload(t, page, "upload", "x.jpg", slices.Concat(photo, make([]byte, 21<<20))), http.StatusConflict, "at most 20 MB")
	for _, digest := range []string{"../../etc/passwd", strings.Repeat("0", 64), "x"} {
		form := formOf(d.get(t, page))
		form.Set("upload", digest)
		d.want(t, digest, d.post(t, page, form), http.StatusUnprocessableEntity, "“Picture” is empty.")
		d.want(t, digest, d.get(t, "/owner/picture/"+url.PathEscape(digest)), http.StatusNotFound)
	}
	expect.Same(t, "the content", before, d.files(t))
}
