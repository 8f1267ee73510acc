package owner

import (
	"cmp"
	"errors"
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

// imagePath returns the path of a picture in the content folder.
func imagePath(name string) string { return path.Join(content.AssetsFolder, name) }

// uploadField is the input of a picture's file.
const uploadField = "upload"

// pictures are the files of pictures. look says which of them the pages show everywhere, and
// in which colour.
var (
	pictures = form{
		path: pathPictures, home: pathPictures, texts: "owner.pictures.", title: "name",
		files:  pictureFiles{},
		fields: fieldsOf("", []content.Key{{Name: uploadField, Kind: kindFile}, {Name: "alt", Kind: kindAlt}}),
		note: func(v visit, picture item) string {
			return strings.Join(v.usersOfPicture(picture.id), ", ")
		},
	}
	look = form{
		path: pathLook, home: pathLook, file: catalogFile, texts: "owner.look.",
		fields: fieldsOf(catalogFile, content.Keys(catalogFile), "brand"),
	}
)

// pictureFiles are the pictures as items of a form.
type pictureFiles struct{}

func (pictureFiles) items(_ *Pages, change *content.Change) (items []item, err error) {
	found, err := fs.ReadDir(change, content.AssetsFolder)
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
	items, _ := p.readItems(pictures, p.Curator.NewChange("")) // of a folder that cannot be read there are none
	for _, item := range items {
		options = append(options, option{imagePath(item.id), item.id})
	}
	return options
}

// usersOfPicture names what shows a picture in the live content.
func (v visit) usersOfPicture(id string) (users []string) {
	live := v.live()
	picture := live.Image(id)
	if picture == nil {
		return nil
	}
	for key, image := range map[string]*content.Image{"logo": live.Brand.Logo, "logo_dark": live.Brand.LogoDark,
		"photo": live.Brand.Photo, "icon": live.Brand.Icon, "card": live.Brand.Card} {
		if image != nil && image.Name == id {
			users = append(users, v.Text("owner.look.brand."+key))
		}
	}
	slices.Sort(users)
	for _, service := range live.Services {
		if service.Picture != nil && service.Picture.URL == picture.Path() {
			users = append(users, v.Text("owner.quoted", service.Name))
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

// uploadEnding is the suffix of the file input that belongs to a picture field.
const uploadEnding = ".upload"

// takeUploads prepares the pictures that a form sends, keeps them, and puts their digests in the place of the files.
func (v visit) takeUploads() error {
	if v.MultipartForm == nil {
		return nil
	}
	for input, files := range v.MultipartForm.File {
		if files[0].Size > images.MaxUpload {
			return reason{"owner.problem.large.text", []any{images.MaxUpload >> 20}}
		}
		file, err := files[0].Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		prepared, err := images.Prepare(v.Context(), data)
		if err != nil {
			return err
		}
		digest, err := v.Curator.KeepPicture(prepared)
		if err != nil {
			return err
		}
		v.PostForm.Set(input, digest)
	}
	return nil
}

// addPictures adds the pictures that were uploaded with a form to the files, and makes each the value of its field.
func (w written) addPictures(v visit, change *content.Change, sent values) error {
	for _, f := range w.fields {
		digest := sent.text(f.Input + uploadEnding)
		if f.Kind != content.KindPicture || digest == "" {
			continue
		}
		picture, err := v.Curator.Picture(digest)
		if err != nil {
			return reason{"owner.reason.empty", []any{v.Text(w.texts + f.Path)}}
		}
		name, err := addPicture(change, picture, cmp.Or(sent.text(f.Input+"_alt"), sent.text(w.title), f.Name))
		if err != nil {
			return err
		}
		sent.set(f.Input, imagePath(name))
	}
	return nil
}

// addPicture adds a picture to the files, under a name that says what it shows.
func addPicture(change *content.Change, picture []byte, shows string) (name string, err error) {
	name = content.NewID(shows, "picture", func(id string) bool {
		known, _ := fs.Glob(change, imagePath(id+".*")) // the pattern is valid
		return len(known) > 0
	}) + pictureEnding(picture)
	return name, change.Write(imagePath(name), picture)
}

func pictureEnding(picture []byte) string {
	return map[string]string{"image/jpeg": ".jpg", "image/png": ".png"}[http.DetectContentType(picture)]
}

// prepare returns the change that adds or replaces a picture.
func (pictureFiles) prepare(v visit, w written, sent values) (*content.Change, error) {
	change, name := v.Curator.NewChange(""), w.id
	picture, err := v.Curator.Picture(sent.text(uploadField))
	if err != nil {
		return nil, reason{"owner.reason.empty", []any{v.Text(w.texts + uploadField)}}
	}
	if name == "" {
		name, err = addPicture(change, picture, sent.text("alt"))
		change.Summary = v.Text("owner.summary.new", v.Text(w.texts+"new"), name)
		return change, err
	}
	ending := pictureEnding(picture)
	if known := strings.Replace(strings.ToLower(path.Ext(name)), ".jpeg", ".jpg", 1); known != ending {
		return nil, reason{"owner.reason.format", []any{name, ending}}
	}
	change.Summary = v.Text("owner.summary.changed", name, v.Text(w.texts+uploadField))
	return change, change.Write(imagePath(name), picture)
}

func (pictureFiles) remove(_ *Pages, change *content.Change, id string) error {
	return change.Remove(imagePath(id))
}

// showPicture sends a picture of the live content, or one that was uploaded.
func (v visit) showPicture() error {
	name := v.PathValue("name")
	picture, err := v.Curator.Picture(name)
	mediaType := http.DetectContentType(picture)
	if live := v.live().Image(name); live != nil {
		picture, mediaType, err = live.Data, live.Type, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errMissing
	}
	if err != nil {
		return err
	}
	return v.send(mediaType, picture)
}
