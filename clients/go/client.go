// Package errand is a typed client for Errand and other services with the same API. It has no dependencies.
package errand

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	firstDelay   = 500 * time.Millisecond
	longestDelay = 20 * time.Second
)

// Options name the service and the caller. Exactly one credential is given.
type Options struct {
	// BaseURL is that of the service, without /v2; by default http://localhost:7070.
	BaseURL string
	// APIKey is a key of an account, or of an instance.
	APIKey string
	// AccessToken is one of OAuth, or of a task.
	AccessToken string
	// MaxRetries is how often a request is retried if the service is unavailable, overloaded or asks to wait; by default 4.
	// Negative for never.
	MaxRetries int
	// Timeout of one request; by default 30 seconds. Streams have none.
	Timeout time.Duration
	// HTTP is used for requests; by default http.DefaultClient.
	HTTP *http.Client
}

// Client has the operations of a service. It may be used by several goroutines at once.
type Client struct {
	Operations
	options Options
}

// New returns a client for the service at options.BaseURL, acting as the owner of the credential.
func New(options Options) (*Client, error) {
	if (options.APIKey == "") == (options.AccessToken == "") {
		return nil, errors.New("errand: give either APIKey or AccessToken")
	}
	if options.BaseURL == "" {
		options.BaseURL = "http://localhost:7070"
	}
	options.BaseURL = strings.TrimRight(options.BaseURL, "/")
	if options.MaxRetries == 0 {
		options.MaxRetries = 4
	}
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.HTTP == nil {
		options.HTTP = http.DefaultClient
	}
	c := &Client{options: options}
	c.Operations = operationsOf(c)
	return c, nil
}

// String returns a pointer to a text, for optional fields. Int and Bool do the same for theirs.
func String(value string) *string { return &value }

// Int returns a pointer to a number, for optional fields.
func Int(value int64) *int64 { return &value }

// Bool returns a pointer to a truth value, for optional fields.
func Bool(value bool) *bool { return &value }

type idempotencyKey struct{}

// WithIdempotencyKey makes writes with this context take effect once, also if the program is started again. Without it, each
// call has a random key, with which it is retried.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

// mode is how an operation is called.
type mode int

const (
	read mode = iota
	write
	// writeOnce is for operations with a secret in the request or the answer: they take no key, and are not repeated.
	writeOnce
)

func (c *Client) call(ctx context.Context, name string, how mode, request, response any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if string(body) == "null" {
		body = []byte("{}")
	}
	key, _ := ctx.Value(idempotencyKey{}).(string)
	if key == "" {
		key = newKey()
	}
	for retry := 0; ; retry++ {
		err := c.ask(ctx, name, how, key, body, response)
		if err == nil || !IsPassing(err) || ctx.Err() != nil || how == writeOnce || retry >= c.options.MaxRetries {
			return err
		}
		if err := pause(ctx, planDelay(retry, err)); err != nil {
			return err
		}
	}
}

func (c *Client) ask(ctx context.Context, name string, how mode, key string, body []byte, response any) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := c.newRequest(ctx, name, how, key, body)
	if err != nil {
		return err
	}
	answer, err := c.options.HTTP.Do(request)
	if err != nil {
		return lostConnection(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return lostConnection(err)
	}
	if answer.StatusCode >= 300 {
		return errorOf(answer, content)
	}
	return json.Unmarshal(content, response)
}

func (c *Client) newRequest(ctx context.Context, name string, how mode, key string, body []byte) (*http.Request, error) {
	address := c.options.BaseURL + "/v2/" + name
	if how == read {
		query, err := queryOf(body)
		if err != nil {
			return nil, err
		}
		if query != "" {
			address += "?" + query
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err == nil {
			c.authenticate(request)
		}
		return request, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.authenticate(request)
	request.Header.Set("Content-Type", "application/json")
	if how == write {
		request.Header.Set("Idempotency-Key", key)
	}
	return request, nil
}

func (c *Client) authenticate(request *http.Request) {
	if c.options.APIKey != "" {
		request.Header.Set("X-Service-Api-Key", c.options.APIKey)
	} else {
		request.Header.Set("Authorization", "Bearer "+c.options.AccessToken)
	}
}

// queryOf turns the fields of a JSON object into parameters; those of objects are parameters of their own: metadata.<key>.
func queryOf(body []byte) (string, error) {
	fields := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		return "", err
	}
	query := url.Values{}
	addParameters(query, "", fields)
	return query.Encode(), nil
}

func addParameters(query url.Values, prefix string, fields map[string]any) {
	for name, value := range fields {
		switch value := value.(type) {
		case nil:
		case map[string]any:
			addParameters(query, prefix+name+".", value)
		case string:
			query.Set(prefix+name, value)
		default:
			text, _ := json.Marshal(value)
			query.Set(prefix+name, string(text))
		}
	}
}

// planDelay is what the service asks for, or twice the last delay, with jitter so that clients do not retry together.
func planDelay(retry int, err error) time.Duration {
	grown := longestDelay
	if retry < 6 && firstDelay<<retry < longestDelay {
		grown = firstDelay << retry
	}
	delay := grown/2 + time.Duration(mathrand.Int63n(int64(grown/2)))
	var e *Error
	if errors.As(err, &e) && e.RetryAfter > delay {
		return e.RetryAfter
	}
	return delay
}

func pause(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func newKey() string {
	var key [16]byte
	_, _ = rand.Read(key[:])
	return hex.EncodeToString(key[:])
}
