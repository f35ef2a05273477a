package errand

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is an error of the service, or the reason why it could not be reached.
type Error struct {
	// Code is "invalid_argument", "not_found" and so on; "connection" if there was no response.
	Code    string
	Message string
	// Status is that of HTTP; 0 without a response.
	Status int
	// Param is the field of the request that is invalid.
	Param string
	// DocURL is the page about the code.
	DocURL string
	// RequestID identifies the request in the log of the service.
	RequestID string
	// RetryAfter is how long the service asks to wait.
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Unwrap returns what broke the connection, for the code "connection".
func (e *Error) Unwrap() error { return e.cause }

var passingCodes = map[string]bool{
	"connection": true, "unavailable": true, "resource_exhausted": true, "rate_limited": true, "conflict": true,
}

// IsPassing tells whether the same request may succeed later.
func IsPassing(err error) bool {
	var e *Error
	return errors.As(err, &e) && (passingCodes[e.Code] || e.Status >= 502)
}

func lostConnection(cause error) *Error {
	return &Error{Code: "connection", Message: "the service could not be reached: " + cause.Error(), cause: cause}
}

type envelope struct {
	RequestID string `json:"request_id"`
	Error     struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Param   string `json:"param"`
		DocURL  string `json:"doc_url"`
	} `json:"error"`
}

// errorOf reads an unsuccessful response. Proxies respond without an envelope.
func errorOf(response *http.Response, body []byte) *Error {
	var given envelope
	_ = json.Unmarshal(body, &given)
	e := &Error{
		Code: given.Error.Code, Message: given.Error.Message, Status: response.StatusCode, Param: given.Error.Param,
		DocURL: given.Error.DocURL, RequestID: given.RequestID, RetryAfter: readRetryAfter(response.Header.Get("Retry-After")),
	}
	if e.Code == "" {
		e.Code = "unknown"
		if e.Status >= 500 {
			e.Code = "unavailable"
		}
	}
	if e.Message == "" {
		e.Message = fmt.Sprintf("the service answered with status %d", e.Status)
	}
	if e.RequestID == "" {
		e.RequestID = response.Header.Get("X-Request-Id")
	}
	return e
}

func readRetryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil && time.Until(at) > 0 {
		return time.Until(at)
	}
	return 0
}
