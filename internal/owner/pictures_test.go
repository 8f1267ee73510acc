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
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func aPicture(t *testing.T, width, height int, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	var file bytes.Buffer
	expect.OK(t, encode(&file, image.NewGray(image.Rect(0, 0, width, height))))
	return file.Bytes()
}

func asJPEG(w io.Writer, picture image.Image) error { return jpeg.Encode(w, picture, nil) }

func (d *desk) upload(page, input, name string, file []byte, values ...string) answer {
	d.Helper()
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for key, all := range d.filled(page, values...) {
		for _, value := range all {
			expect.OK(d, parts.WriteField(key, value))
		}
	}
	part := expect.Value(parts.CreateFormFile(input, name))(d)
	expect.Value(part.Write(file))(d)
	expect.OK(d, parts.Close())
	return d.send(http.MethodPost, page, &body, "Content-Type: "+parts.FormDataContentType())
}

func (d *desk) files() map[string]string {
	d.Helper()
	return expect.Files(d, os.DirFS(d.content), ".")
}

func TestPictures(t *testing.T) {
	expect.SkipInRace(t, "it makes photos smaller")
	t.Parallel()
	const page = "pictures/new"
	d := signedIn(t, "bakery")
	before := d.files()
	d.shows(page, `<label for="upload">Picture</label>`)
	photo := aPicture(t, 3000, 1500, asJPEG)
	made := func(preview answer) {
		t.Helper()
		d.want("the change", preview, 200, "Make it live", "<span>Picture ", `<img class="picture" src="/owner/picture/`)
		d.want("made", d.post(preview.Request.URL.Path, hiddenOf(preview)), 303)
	}
	service := d.live.Content.Services[0]
	form := "services/" + service.ID + "/edit"
	shown := d.upload(form, "picture.upload", `..\../"x".svg`, photo, "picture_alt", "Ein Käsekuchen", "picture_alt.en",
		"")
	d.want("a picture without its text is kept", d.upload(form, "picture.upload", "x.jpg", photo,
		"picture_alt", "", "picture_alt.en", ""),
		422, `name="picture.upload" value="`, `<img class="picture" src="/owner/picture/`, `id="error-picture_alt"`)
	made(shown)
	d.shows("pictures", "ein-kasekuchen.jpg", `src="/owner/picture/ein-kasekuchen.jpg"`, "“"+service.Name+"”")
	picture := d.live.Content.Services[0].Picture
	expect.Same(t, "its text", "Ein Käsekuchen", picture.Alt)
	expect.Holds(t, "its address", picture.URL, "/assets/ein-kasekuchen.")
	sent := d.get("picture/ein-kasekuchen.jpg")
	sizeOf := func(text string) [2]int {
		config := expect.Value(jpeg.DecodeConfig(strings.NewReader(text)))(t)
		return [2]int{config.Width, config.Height}
	}
	expect.Same(t, "its size", [2]int{2000, 1000}, sizeOf(sent.Text))
	expect.Same(t, "its type", "image/jpeg", sent.Header.Get("Content-Type"))

	logo := aPicture(t, 64, 64, png.Encode)
	made(d.upload("look", "brand.logo.upload", "logo.png", logo, "brand.logo_alt", "Ofen"))
	expect.Same(t, "the logo", "ofen.png", d.live.Content.Brand.Logo.Name)
	made(d.upload(page, "upload", "x.png", logo))
	expect.Holds(t, "without a place", d.files()["assets/picture.png"], "PNG")

	made(d.upload(page, "upload", "x.png", logo, "alt", "Fen"))
	d.change("pictures/fen.png/remove") // its name is in that of one that is used
	d.want("in use", d.get("pictures/ofen.png/remove"), 422, "Please change these first: Logo")
	d.change("pictures/picture.png/remove")
	expect.Lacks(t, "a fixed name", d.get("pictures/ofen.png/edit").Text, `name="alt"`)
	d.want("another kind", d.upload("pictures/ofen.png/edit", "upload", "x.jpg", photo), 422, "of the same kind")
	made(d.upload("pictures/ein-kasekuchen.jpg/edit", "upload", "x.jpg", aPicture(t, 100, 100, asJPEG)))
	expect.Same(t, "the new size", [2]int{100, 100}, sizeOf(d.files()["assets/ein-kasekuchen.jpg"]))
	d.undoAll()
	expect.Same(t, "the content after all is undone", before, d.files())
}

func TestUploadIsRemoved(t *testing.T) {
	d, folder := signedIn(t, "bakery"), t.TempDir()
	t.Setenv("TMPDIR", folder)
	d.upload("pictures/new", "upload", "x.jpg", make([]byte, 9<<20))
	expect.Same(t, "files", 0, len(expect.Value(os.ReadDir(folder))(t)))
}

func TestHostileUploads(t *testing.T) {
	t.Parallel()
	const page = "pictures/new"
	d := signedIn(t, "bakery")
	before := d.files()
	photo := aPicture(t, 30, 30, asJPEG)
	rest := strings.Repeat("\x00", 40)
	for file, want := range map[string]string{
		`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`: "This is an SVG drawing.",
		"GIF89a" + rest:                                "This is a GIF.",
		"\x00\x00\x00\x18ftypheic" + rest:              "This is a HEIC photo",
		"\x00\x00\x00\x18ftypavif" + rest:              "cannot be used as a picture",
		string(photo) + strings.Repeat("\x00", 21<<20): "at most 20 MB",
	} {
		d.want(want, d.upload(page, "upload", "shop.jpg", []byte(file), "alt", "A"), 409, want)
	}
	d.want("no file", d.post(page, d.filled(page)), 422, "“Picture” is empty.")
	for _, digest := range []string{"../../etc/passwd", strings.Repeat("0", 64), "x"} {
		d.want(digest, d.post(page, d.filled(page, "upload", digest)), 422, "“Picture” is empty.")
		d.want(digest, d.get("picture/"+url.PathEscape(digest)), 404)
	}
	expect.Same(t, "the content", before, d.files())
}
