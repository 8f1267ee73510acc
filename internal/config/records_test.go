package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/records"
)

const database = "postgres://desk:hunter2@db.example/frontdesk"

func TestRecords(t *testing.T) {
	t.Parallel()
	file := fileWith(t, database+"\n")
	tests := []struct {
		name    string
		folder  DataFolder
		want    records.Options
		setting string
	}{
		{"nothing set", DataFolder{}, records.Options{Dir: "./data"}, "FRONTDESK_DATA"},
		{"folder", DataFolder{Data: "d"}, records.Options{Dir: "d"}, "FRONTDESK_DATA"},
		{"address", DataFolder{Data: "d", DatabaseURL: database}, records.Options{Dir: "d", URL: database}, "FRONTDESK_DATABASE_URL"},
		{"file", DataFolder{Data: "d", DatabaseURLFile: file}, records.Options{Dir: "d", URL: database}, "FRONTDESK_DATABASE_URL_FILE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, setting, err := tt.folder.Records()
			if err != nil || setting != tt.setting {
				t.Errorf("setting %s, %v; want %s", setting, err, tt.setting)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDatabaseFaultsNameTheSetting(t *testing.T) {
	t.Parallel()
	key, _ := pemKey(t, 1)
	tests := []struct {
		name   string
		folder DataFolder
		key    string
		want   string // empty: no fault
	}{
		{"with a key", DataFolder{DatabaseURL: database}, key, ""},
		{"without a key", DataFolder{DatabaseURL: database}, "", "FRONTDESK_SIGNING_KEY: is required with a PostgreSQL database"},
		{"another database", DataFolder{DatabaseURL: "mysql://desk:hunter2@db.example"}, key, "FRONTDESK_DATABASE_URL: is not an address such as postgres://"},
		{"both faults", DataFolder{DatabaseURL: "hunter2"}, "", "\nFRONTDESK_SIGNING_KEY: "},
		{"address and file", DataFolder{DatabaseURL: database, DatabaseURLFile: "x"}, key, "FRONTDESK_DATABASE_URL_FILE: is set together with FRONTDESK_DATABASE_URL"},
		{"no such file", DataFolder{DatabaseURLFile: "does-not-exist"}, key, "FRONTDESK_DATABASE_URL_FILE: "},
		{"empty file", DataFolder{DatabaseURLFile: fileWith(t, "\n")}, key, "FRONTDESK_DATABASE_URL_FILE: is empty"},
		{"wrong file", DataFolder{DatabaseURLFile: fileWith(t, "hunter2")}, key, "FRONTDESK_DATABASE_URL_FILE: is not an address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := Settings{DataFolder: tt.folder, SigningKey: tt.key}
			_, err := settings.Service(8080)
			if (err == nil) != (tt.want == "") {
				t.Fatalf("error = %v, want %q", err, tt.want)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("error = %v, want %q and no password", err, tt.want)
			}
			for _, setting := range settings.Describe() {
				if strings.Contains(setting.Value, "hunter2") {
					t.Errorf("%s is shown as %q", setting.Name, setting.Value)
				}
			}
		})
	}
}
