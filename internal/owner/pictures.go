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

// picturePath is the key of the address of an item that is a picture.
const picturePath = "path"

// imagePath is a picture as the files name it.
func imagePath(name string) string { return path.Join(imageFolder, name) }

// Fields of a picture: the file, and what it shows.
var (
	pictureFile = field{Key: "upload", Kind: fileField}
	pictureAlt  = field{Key: "alt", Kind: lineField, Local: true}
)

// pictures are the files of pictures. look says which of them the pages show everywhere, and
// in which colour.
var (
	pictures = form{
		path: pathPictures, home: pathPictures, here: pathBusiness, texts: "owner.pictures.", title: "name",
		read: (*Pages).pictureItems, prepare: (*Pages).preparePicture,
		fields: []field{
			pictureFile,
			pictureAlt,
			{Key: "use", Kind: choiceField, options: (*Pages).usesOfPicture},
		},
		summary: func(p *Pages, s session, item values) string {
			return strings.Join(p.usersOfPicture(s, item["id"]), ", ")
		},
		inUse:  func(p *Pages, s session, _ *content.Change, id string) []string { return p.usersOfPicture(s, id) },
		remove: func(change *content.Change, id string) error { return change.Remove(imagePath(id)) },
	}
	look = form{
		path: pathLook, home: pathLook, here: pathBusiness, file: catalogFile, texts: "owner.look.",
		fields: []field{
			{Key: "brand.logo", Kind: imageField, options: (*Pages).pictureOptions},
			{Key: "brand.logo_alt", Kind: lineField, Local: true},
			{Key: "brand.photo", Kind: imageField, options: (*Pages).pictureOptions},
			{Key: "brand.photo_alt", Kind: lineField, Local: true},
			{Key: "brand.icon", Kind: imageField, options: (*Pages).pictureOptions},
			{Key: "brand.card", Kind: imageField, options: (*Pages).pictureOptions},
			{Key: "brand.accent", Kind: lineField, note: func(_ *Pages, s session, value string) string {
				got, least := content.AccentContrast(value)
				if got == 0 {
					return ""
				}
				return s.Text("owner.look.contrast", got, least)
			}},
			{Key: "brand.developers", Kind: flagField, options: yesOrNo},
		},
	}
)

// yesOrNo are the options of a value that is true or false.
func yesOrNo(_ *Pages, s session) []option {
	return []option{{"true", s.Text("owner.yes")}, {"false", s.Text("owner.no")}}
}

// pictureItems are the pictures in the files, by their names.
func (p *Pages) pictureItems() (items []values, err error) {
	found, err := fs.ReadDir(p.Curator.NewChange(""), imageFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, file := range found {
		if name := file.Name(); !content.IsIgnored(name) {
			items = append(items, values{"id": name, "name": name, picturePath: pathPicture + name})
		}
	}
	return items, err
}

// pictureOptions are the pictures that can be shown somewhere.
func (p *Pages) pictureOptions(session) (options []option) {
	items, _ := p.pictureItems() // of a folder that cannot be read there are none
	for _, item := range items {
		options = append(options, option{imagePath(item["id"]), item["name"]})
	}
	return options
}

// Where a picture can be put: beside the pages of the site, these, and services by their ids.
const (
	useService = "service:"
	usePage    = "page:"
)

// brandUses are the keys below brand that show a picture with a text.
var brandUses = []string{"logo", "photo"}

// usesOfPicture are the places where a picture can be put.
func (p *Pages) usesOfPicture(s session) (uses []option) {
	for _, key := range brandUses {
		uses = append(uses, option{key, s.Text("owner.look.brand." + key)})
	}
	offered, _ := p.itemsOf(services) // of a file that cannot be read there are none
	for _, item := range offered {
		uses = append(uses, option{useService + item["id"], s.Text("owner.pictures.use.service", item["name"])})
	}
	written, _ := p.pageItems()
	for _, item := range written {
		uses = append(uses, option{usePage + item["id"], s.Text("owner.pictures.use.page", item["name"])})
	}
	return uses
}

// livePicture is the picture of a name in the live content, or nil.
func (p *Pages) livePicture(name string) *content.Image {
	all := p.Service.Live().Content.Images
	if at := slices.IndexFunc(all, func(image content.Image) bool { return image.Name == name }); at >= 0 {
		return &all[at]
	}
	return nil
}

// usersOfPicture names what shows a picture.
func (p *Pages) usersOfPicture(s session, id string) (users []string) {
	live, picture := p.Service.Live().Content, p.livePicture(id)
	if picture == nil {
		return nil
	}
	for key, image := range map[string]*content.Image{"logo": live.Brand.Logo, "photo": live.Brand.Photo,
		"icon": live.Brand.Icon, "card": live.Brand.Card} {
		if image != nil && image.Name == id {
			users = append(users, s.Text("owner.look.brand."+key))
		}
	}
	slices.Sort(users)
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

// unusable are the messages for pictures that cannot be used, by their errors.
var unusable = map[error]string{
	images.ErrHEIC: "owner.reason.heic", images.ErrGIF: "owner.reason.gif", images.ErrSVG: "owner.reason.svg",
	images.ErrLarge: "owner.reason.pixels",
}

// takeUpload prepares the picture that a form sends, keeps it, and puts its digest in the place
// of the file.
func (p *Pages) takeUpload(r *http.Request) error {
	file, header, err := r.FormFile(pictureFile.Key)
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
	for known, key := range unusable {
		if errors.Is(err, known) {
			return reason{key: key}
		}
	}
	if err != nil {
		return reason{"owner.content.picture", nil}
	}
	digest, err := p.Curator.KeepPicture(prepared)
	r.PostForm.Set(pictureFile.Key, digest)
	return err
}

// preparePicture prepares to add or replace a picture, and to put it in a place.
func (p *Pages) preparePicture(s session, w written, sent values) (*content.Change, error) {
	change, name := p.Curator.NewChange(""), w.id
	empty := func(key string) error { return reason{"owner.reason.empty", []any{s.Text(w.texts + key)}} }
	if digest := sent["upload"]; digest != "" {
		picture, err := p.Curator.Picture(digest)
		if err != nil {
			return nil, empty("upload")
		}
		ending := map[string]string{"image/jpeg": ".jpg", "image/png": ".png"}[http.DetectContentType(picture)]
		if name == "" {
			name = w.newPictureName(sent["alt"], ending)
		} else if known := strings.Replace(strings.ToLower(path.Ext(name)), ".jpeg", ".jpg", 1); known != ending {
			return nil, reason{"owner.reason.format", []any{name, ending}}
		}
		if err := change.Write(imagePath(name), picture); err != nil {
			return nil, err
		}
	} else if name == "" {
		return nil, empty("upload")
	}
	change.Summary = s.Text("owner.summary.new", s.Text(w.texts+"new"), name)
	if w.id != "" {
		change.Summary = s.Text("owner.summary.changed", name, s.Text(w.texts+"upload"))
	}
	switch {
	case sent["use"] == "":
		return change, nil
	case isEmpty(pictureAlt.in(p.languages()).texts(sent)):
		return nil, empty(pictureAlt.Key)
	}
	return change, p.placePicture(change, name, sent)
}

// placePicture puts a picture in the place of usesOfPicture that was chosen.
func (p *Pages) placePicture(change *content.Change, name string, sent values) error {
	languages, use := p.languages(), sent["use"]
	alt := pictureAlt.in(languages)
	place := func(parent content.Path, key string) error {
		if err := change.Set(catalogFile, slices.Concat(parent, content.Path{key}), imagePath(name)); err != nil {
			return err
		}
		return change.Set(catalogFile, slices.Concat(parent, content.Path{key + "_alt"}), alt.value(alt.texts(sent)))
	}
	if id, isService := strings.CutPrefix(use, useService); isService {
		items, err := p.itemsOf(services)
		if err != nil {
			return err
		}
		return place(content.Path{services.list, placeOf(items, id)}, "picture")
	}
	id, isPage := strings.CutPrefix(use, usePage)
	if !isPage {
		return place(content.Path{"brand"}, use)
	}
	for i, language := range languages {
		file := fileOf(id, languages, language)
		text, err := fs.ReadFile(change, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		shown := strings.NewReplacer("[", "", "]", "", `\`, "").Replace(cmp.Or(alt.texts(sent)[i], alt.texts(sent)[0]))
		if err := change.Write(file, fmt.Appendf(text, "\n![%s](%s)\n", shown, name)); err != nil {
			return err
		}
	}
	return nil
}

// newPictureName makes the name of a file of what a picture shows.
func (w written) newPictureName(shows, ending string) string {
	var taken []values
	for _, item := range w.items {
		taken = append(taken, values{"id": strings.TrimSuffix(item["id"], path.Ext(item["id"]))})
	}
	return w.newID(shows, taken) + ending
}

// showPicture sends a picture of the live content, or one that was uploaded.
func (p *Pages) showPicture(w http.ResponseWriter, r *http.Request, _ session) error {
	if live := p.livePicture(r.PathValue("name")); live != nil {
		w.Header().Set("Content-Type", live.Type)
		_, err := w.Write(live.Data)
		return err
	}
	picture, err := p.Curator.Picture(r.PathValue("name"))
	if errors.Is(err, fs.ErrNotExist) {
		return errMissing
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", http.DetectContentType(picture))
	_, err = w.Write(picture)
	return err
}
