package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"golang.org/x/time/rate"
)

// What tokend does for each request beside the token: reuse, a limit for the caller, a grant, a line in a chained audit
// trail, and metrics. AUDIT=FILE turns it on.
type work struct {
	mutex    sync.Mutex
	limits   map[string]*rate.Limiter
	grants   map[string]map[string]bool
	tokens   map[string]token
	file     *os.File
	sequence uint64
	previous [sha256.Size]byte
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

type line struct {
	Version   int      `json:"v"`
	Sequence  uint64   `json:"sequence"`
	Time      int64    `json:"time"`
	RequestID string   `json:"requestId"`
	Method    string   `json:"method"`
	Caller    string   `json:"caller"`
	Address   string   `json:"address"`
	Kind      string   `json:"kind"`
	IDs       []string `json:"ids"`
	Decision  string   `json:"decision"`
	Rule      string   `json:"rule"`
	KeyID     string   `json:"keyId"`
	ExpiresAt int64    `json:"expiresAt"`
	SHA256    string   `json:"tokenSha256"`
	Previous  string   `json:"previous"`
}

var errRefused = errors.New("refused")

func newWork(path string) (*work, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &work{
		limits: map[string]*rate.Limiter{},
		grants: map[string]map[string]bool{"backend": {"driver": true}},
		tokens: map[string]token{},
		file:   file,
		requests: promauto.NewCounterVec(
			prometheus.CounterOpts{Name: "requests_total"}, []string{"route", "method", "status"}),
		duration: promauto.NewHistogramVec(prometheus.HistogramOpts{Name: "duration_seconds"}, []string{"route"}),
	}, nil
}

func (w *work) admit(caller, kind string) error {
	w.mutex.Lock()
	limit := w.limits[caller]
	if limit == nil {
		limit = rate.NewLimiter(200_000, 1_000_000)
		w.limits[caller] = limit
	}
	w.mutex.Unlock()
	if !limit.Allow() || !w.grants[caller][kind] {
		return errRefused
	}
	return nil
}

// The cache has as many tokens as tokend's. The mutex is not held while one is signed.
func (w *work) reused(id string, now time.Time, mint func(string, time.Time) (token, error)) (token, error) {
	w.mutex.Lock()
	kept, found := w.tokens[id]
	w.mutex.Unlock()
	if found && now.Before(kept.reuseEnds) {
		return kept, nil
	}
	minted, err := mint(id, now)
	if err != nil {
		return minted, err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for old := range w.tokens {
		if len(w.tokens) < 16_384 {
			break
		}
		delete(w.tokens, old)
	}
	w.tokens[id] = minted
	return minted, nil
}

// Without the line in the file there is no token.
func (w *work) record(request *http.Request, requestID, caller, id, keyID string, minted token, now time.Time) error {
	digest := sha256.Sum256([]byte(minted.text))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	bytes, err := json.Marshal(line{
		1, w.sequence + 1, now.Unix(), requestID, "api_key", caller, request.RemoteAddr, "driver", []string{id}, "allow",
		"any", keyID, minted.expiresAt.Unix(), hex.EncodeToString(digest[:]), hex.EncodeToString(w.previous[:]),
	})
	if err != nil {
		return err
	}
	if _, err := w.file.Write(append(bytes, '\n')); err != nil {
		return err
	}
	w.sequence++
	w.previous = sha256.Sum256(bytes)
	return nil
}

func (w *work) count(status string, start time.Time) {
	w.requests.WithLabelValues("/token/{kind}/{id}", http.MethodGet, status).Inc()
	w.duration.WithLabelValues("/token/{kind}/{id}").Observe(time.Since(start).Seconds())
}
