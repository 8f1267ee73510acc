package faults

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"testing"
)

// onPostgres sets a database that instances share, and the signing key that they
// need with it.
func onPostgres(t *testing.T, url string) []string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return []string{"FRONTDESK_DATABASE_URL=" + url, "FRONTDESK_SIGNING_KEY=" + string(key)}
}
