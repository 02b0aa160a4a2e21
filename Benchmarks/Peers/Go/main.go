// A token service as a Go team would write it: net/http and golang-jwt, a key parsed once, API keys kept as SHA-256.
// AUDIT=FILE adds what tokend does beside the token: see work.go. Without it, it only authenticates and signs.
package main

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt"
)

const (
	audience  = "https://fleetengine.googleapis.com/"
	backdated = 60 * time.Second
	lifetime  = 3540 * time.Second
	reuse     = 240 * time.Second
	prefix    = "/token/driver/"
	caller    = "backend"
)

type claims struct {
	Issuer        string            `json:"iss"`
	Subject       string            `json:"sub"`
	Audience      string            `json:"aud"`
	IssuedAt      int64             `json:"iat"`
	ExpiresAt     int64             `json:"exp"`
	Authorization map[string]string `json:"authorization"`
}

func (claims) Valid() error { return nil }

type token struct {
	text      string
	issuedAt  time.Time
	expiresAt time.Time
	reuseEnds time.Time
}

type service struct {
	email, keyID string
	key          *rsa.PrivateKey
	apiKey       []byte
	work         *work
}

func (s *service) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	digest := sha256.Sum256([]byte(request.Header.Get("X-API-Key")))
	if subtle.ConstantTimeCompare(digest[:], s.apiKey) != 1 {
		http.Error(answer, `{"error":{"code":401}}`, http.StatusUnauthorized)
		return
	}
	id := strings.TrimPrefix(request.URL.Path, prefix)
	if request.Method != http.MethodGet || id == "" || strings.Contains(id, "/") {
		http.Error(answer, `{"error":{"code":404}}`, http.StatusNotFound)
		return
	}
	now := time.Now()
	if s.work != nil && s.work.admit(caller, "driver") != nil {
		s.work.count("403", now)
		http.Error(answer, `{"error":{"code":403}}`, http.StatusForbidden)
		return
	}
	var token token
	var err error
	if s.work == nil {
		token, err = s.mint(id, now)
	} else {
		token, err = s.work.reused(id, now, s.mint)
	}
	if err == nil && s.work != nil {
		requestID := strconv.FormatUint(rand.Uint64(), 36)
		answer.Header().Set("X-Request-Id", requestID)
		err = s.work.record(request, requestID, caller, id, s.keyID, token, now)
	}
	if err != nil {
		http.Error(answer, `{"error":{"code":500}}`, http.StatusInternalServerError)
		return
	}
	if s.work != nil {
		defer s.work.count("200", now)
	}
	header := answer.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Pragma", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	answer.Write(token.body(now))
}

func (s *service) mint(id string, now time.Time) (token, error) {
	minted := token{issuedAt: now.Add(-backdated), expiresAt: now.Add(lifetime), reuseEnds: now.Add(reuse)}
	unsigned := jwt.NewWithClaims(jwt.SigningMethodRS256, claims{
		s.email, s.email, audience, minted.issuedAt.Unix(), minted.expiresAt.Unix(), map[string]string{"vehicleid": id},
	})
	unsigned.Header["kid"] = s.keyID
	var err error
	minted.text, err = unsigned.SignedString(s.key)
	return minted, err
}

// Put together by hand, since encoding/json would only make it slower.
func (t token) body(now time.Time) []byte {
	body := make([]byte, 0, 2*len(t.text)+256)
	body = append(append(body, `{"token":"`...), t.text...)
	body = append(append(body, `","jwt":"`...), t.text...)
	number := func(name string, value int64) {
		body = append(append(body, name...), ':')
		body = strconv.AppendInt(body, value, 10)
	}
	number(`","expiresInSeconds"`, t.expiresAt.Unix()-now.Unix())
	number(`,"creationTimestamp"`, t.issuedAt.Unix()*1000)
	number(`,"expirationTimestamp"`, t.expiresAt.Unix()*1000)
	number(`,"creation_timestamp_ms"`, t.issuedAt.Unix()*1000)
	number(`,"expiration_timestamp_ms"`, t.expiresAt.Unix()*1000)
	return append(body, '}')
}

func main() {
	var account struct {
		Email      string `json:"client_email"`
		KeyID      string `json:"private_key_id"`
		PrivateKey string `json:"private_key"`
	}
	file, err := os.ReadFile(os.Getenv("ACCOUNT"))
	check(err)
	check(json.Unmarshal(file, &account))
	key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(account.PrivateKey))
	check(err)
	apiKey, err := hex.DecodeString(os.Getenv("API_KEY_SHA256"))
	check(err)
	service := &service{email: account.Email, keyID: account.KeyID, key: key, apiKey: apiKey}
	if path := os.Getenv("AUDIT"); path != "" {
		service.work, err = newWork(path)
		check(err)
	}
	address := "127.0.0.1:" + os.Getenv("PORT")
	if certificate := os.Getenv("TLS_CERTIFICATE"); certificate != "" {
		check(http.ListenAndServeTLS(address, certificate, os.Getenv("TLS_KEY"), service))
	}
	check(http.ListenAndServe(address, service))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
