package owner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/images"
)

var imageFolder = strings.Trim(content.PrefixAssets, "/")

// imagePath is a picture as the files name it.
func imagePath(name string) string { return path.Join(imageFolder, name) }

// Fields of a picture: the file, and what it shows.
var (
	pictureFile = field{Key: content.Key{Name: "upload", Kind: kindFile}, Path: "upload", Input: "upload"}
	pictureAlt  = field{Key: content.Key{Name: "alt", Kind: content.KindLine, Local: true}, Path: "alt", Input: "alt"}
)

// pictures are the files of pictures. look says which of them the pages show everywhere, and
// in which colour.
var (
	pictures = form{
		path: pathPictures, home: pathPictures, texts: "owner.pictures.", title: "name",
		files: pictureFiles{},
		fields: []field{
			pictureFile,
			pictureAlt,
			{
				Key: content.Key{Name: "use", Kind: content.KindChoice}, Path: "use", Input: "use",
				options: (*Pages).usesOfPicture,
			},
		},
		note: func(p *Pages, s session, picture item) string {
			return strings.Join(p.usersOfPicture(s, nil, picture.id), ", ")
		},
		inUse: (*Pages).usersOfPicture,
	}
	look = form{
		path: pathLook, home: pathLook, file: catalogFile, texts: "owner.look.",
		fields: lookFields(),
	}
)

// lookFields are the fields of the brand; a colour has a note of its contrast.
func lookFields() []field {
	fields := fieldsOf(catalogFile, content.Keys(catalogFile), "brand")
	for i := range fields {
		if fields[i].Kind == content.KindColour {
			fields[i].note = func(_ *Pages, s session, value any) string {
				got, least := content.AccentContrast(plain(value))
				if got == 0 {
					return ""
				}
				return s.Text("owner.look.contrast", got, least)
			}
		}
	}
	return fields
}

// pictureFiles are the pictures as items of a form.
type pictureFiles struct{}

func (pictureFiles) items(p *Pages) (items []item, err error) {
	found, err := fs.ReadDir(p.Curator.NewChange(""), imageFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, file := range found {
		if name := file.Name(); !content.IsIgnored(name) {
			items = append(items, item{id: name, picture: pathPicture + name, values: values{"name": name}})
		}
	}
	return items, err
}

// pictureOptions are the pictures that can be shown somewhere.
func (p *Pages) pictureOptions() (options []option) {
	items, _ := pictureFiles{}.items(p) // of a folder that cannot be read there are none
	for _, item := range items {
		options = append(options, option{imagePath(item.id), item.id})
	}
	return options
}

// Where a picture can be put: beside the pages of the site, these, and services by their ids.
const (
	useService = "service:"
	usePage    = "page:"
)

// brandPictures are the keys of the pictures of the brand. The first two also need a text.
var brandPictures = []string{"logo", "photo", "icon", "card"}

// usesOfPicture are the places where a picture can be put.
func (p *Pages) usesOfPicture(s session) (uses []option) {
	for _, key := range brandPictures[:2] {
		uses = append(uses, option{key, s.Text("owner.look.brand." + key)})
	}
	live := p.Service.Live().Content
	for _, service := range live.Services {
		uses = append(uses, option{useService + service.ID, s.Text("owner.pictures.use.service", service.Name)})
	}
	written, _ := pageFiles{}.items(p) // of a folder that cannot be read there are none
	for _, item := range written {
		uses = append(uses, option{usePage + item.id, s.Text("owner.pictures.use.page", item.id)})
	}
	return uses
}

// livePicture is the picture of a name in the live content, or nil.
func (p *Pages) livePicture(name string) *content.Image {
	for _, image := range p.Service.Live().Content.Images {
		if image.Name == name {
			return &image
		}
	}
	return nil
}

// usersOfPicture names what shows a picture in the live content.
func (p *Pages) usersOfPicture(s session, _ *content.Change, id string) (users []string) {
	live, picture := p.Service.Live().Content, p.livePicture(id)
	if picture == nil {
		return nil
	}
	for i, image := range []*content.Image{live.Brand.Logo, live.Brand.Photo, live.Brand.Icon, live.Brand.Card} {
		if image != nil && image.Name == id {
			users = append(users, s.Text("owner.look.brand."+brandPictures[i]))
		}
	}
	for _, service := range live.Services {
		if service.Picture != nil && service.Picture.URL == picture.Path() {
			users = append(users, s.Text("owner.quoted", service.Name))
		}
	}
	// not in the name of another
	named := regexp.MustCompile(`(?:^|[^\pL\pN._-])` + regexp.QuoteMeta(id) + `(?:[^\pL\pN._-]|$)`)
	for i := range live.Pages {
		if named.MatchString(live.Pages[i].Markdown) {
			users = append(users, live.Pages[i].Path(live))
		}
	}
	return users
}

// takeUpload prepares the picture that a form sends, keeps it, and puts its digest in the place
// of the file.
func (p *Pages) takeUpload(r *http.Request) error {
	file, header, err := r.FormFile(pictureFile.Input)
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return nil
	}
	if err != nil {
		return err
	}
	if header.Size > images.MaxUpload {
		return reason{"owner.problem.large.text", []any{images.MaxUpload >> 20}}
	}
	data, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	prepared, err := images.Prepare(r.Context(), data)
	if err != nil {
		return err
	}
	digest, err := p.Curator.KeepPicture(prepared)
	r.PostForm.Set(pictureFile.Input, digest)
	return err
}

// prepare prepares to add or replace a picture, and to put it in a place.
func (pictureFiles) prepare(p *Pages, s session, w written, sent values) (*content.Change, error) {
	change, name, use := p.Curator.NewChange(""), w.id, sent.text("use")
	refuse := func(key, input string) error { return reason{key, []any{s.Text(w.texts + input)}} }
	digest := sent.text("upload")
	picture, err := p.Curator.Picture(digest)
	switch {
	case err != nil && (digest != "" || name == ""):
		return nil, refuse("owner.reason.empty", "upload")
	case err == nil:
		ending := map[string]string{"image/jpeg": ".jpg", "image/png": ".png"}[http.DetectContentType(picture)]
		if name == "" {
			name = w.newPictureName(sent.text("alt"), ending)
		} else if known := strings.Replace(strings.ToLower(path.Ext(name)), ".jpeg", ".jpg", 1); known != ending {
			return nil, reason{"owner.reason.format", []any{name, ending}}
		}
		if err := change.Write(imagePath(name), picture); err != nil {
			return nil, err
		}
	}
	change.Summary = s.Text("owner.summary.new", s.Text(w.texts+"new"), name)
	if w.id != "" {
		change.Summary = s.Text("owner.summary.changed", name, s.Text(w.texts+"upload"))
	}
	alt := pictureAlt.written(sent, w.languages, nil)
	switch {
	case use == "":
		return change, nil
	case !slices.ContainsFunc(p.usesOfPicture(s), func(o option) bool { return o.Value == use }):
		return nil, refuse("owner.reason.choice", "use")
	case alt == nil:
		return nil, refuse("owner.reason.empty", "alt")
	}
	place := func(parent content.Path, key string) error {
		return errors.Join(change.Set(catalogFile, slices.Concat(parent, content.Path{key}), imagePath(name)),
			change.Set(catalogFile, slices.Concat(parent, content.Path{key + "_alt"}), alt))
	}
	if id, isService := strings.CutPrefix(use, useService); isService {
		at, err := change.ItemPath(catalogFile, servicesList, id)
		return change, cmp.Or(err, place(at, "picture"))
	}
	id, isPage := strings.CutPrefix(use, usePage)
	if !isPage {
		return change, place(content.Path{"brand"}, use)
	}
	for i, part := range pictureAlt.parts(w.languages) {
		file := fileOf(id, w.languages, w.languages[i])
		text, err := fs.ReadFile(change, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		shown := strings.NewReplacer("[", "", "]", "", `\`, "").Replace(cmp.Or(sent.text(part.Input), sent.text("alt")))
		if err = cmp.Or(err, change.Write(file, fmt.Appendf(text, "\n![%s](%s)\n", shown, name))); err != nil {
			return nil, err
		}
	}
	return change, nil
}

func (pictureFiles) remove(change *content.Change, id string) error {
	return change.Remove(imagePath(id))
}

// newPictureName makes the name of a file of what a picture shows.
func (w written) newPictureName(shows, ending string) string {
	var taken []item
	for _, other := range w.items {
		taken = append(taken, item{id: strings.TrimSuffix(other.id, path.Ext(other.id))})
	}
	return w.newID(shows, taken) + ending
}

// showPicture sends a picture of the live content, or one that was uploaded.
func (p *Pages) showPicture(w http.ResponseWriter, r *http.Request, _ session) error {
	name := r.PathValue("name")
	picture, err := p.Curator.Picture(name)
	mediaType := http.DetectContentType(picture)
	if live := p.livePicture(name); live != nil {
		picture, mediaType, err = live.Data, live.Type, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errMissing
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaType)
	_, err = w.Write(picture)
	return err
}
