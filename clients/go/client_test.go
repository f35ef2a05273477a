package errand

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// connect returns a client for the running service that ERRAND_URL and ERRAND_API_KEY name.
func connect(t *testing.T) (*Client, context.Context) {
	t.Helper()
	address, key := os.Getenv("ERRAND_URL"), os.Getenv("ERRAND_API_KEY")
	if address == "" {
		t.Skip("ERRAND_URL is not set")
	}
	client, err := New(Options{BaseURL: address, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return client, ctx
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func say(text string) *TaskCreateRequest { return &TaskCreateRequest{Message: Message{Content: text}} }

func TestATaskIsCreatedFollowedAndAnswered(t *testing.T) {
	c, ctx := connect(t)
	request := say("ask Which color?")
	request.InteractiveMode, request.Metadata = Bool(true), map[string]any{"order": "go-7"}
	id := must[*TaskCreateResponse](t)(c.Task.Create(ctx, request)).TaskID
	asked := must[*Outcome](t)(c.WaitForTask(ctx, id))
	if asked.Status != "waiting" || asked.Message != "Which color?" {
		t.Fatalf("got %+v", asked)
	}
	must[*TaskSendMessageResponse](t)(c.Task.SendMessage(ctx, &TaskSendMessageRequest{TaskID: id, Message: Message{Content: "blue"}}))
	if done := must[*Outcome](t)(c.WaitForTask(ctx, id)); done.Status != "stopped" {
		t.Fatalf("got %+v", done)
	}
	found := must[*TaskListResponse](t)(c.Task.List(ctx, &TaskListRequest{Metadata: map[string]any{"order": "go-7"}}))
	if len(found.Data) == 0 || found.Data[0].ID != id {
		t.Fatalf("got %+v", found.Data)
	}
}

func TestAFileGoesInAndAnotherComesOut(t *testing.T) {
	c, ctx := connect(t)
	file := must[*FileDetailResponse](t)(c.UploadFile(ctx, "numbers.csv", []byte("a,b\n1,2\n"))).File
	request := say("")
	request.Message.Content = []map[string]any{
		{"type": "file", "file_id": file.ID}, {"type": "text", "text": "read attachments/numbers.csv\nwrite b.md with B"},
	}
	id := must[*TaskCreateResponse](t)(c.Task.Create(ctx, request)).TaskID
	outcome := must[*Outcome](t)(c.WaitForTask(ctx, id))
	if !strings.Contains(outcome.Message, "1,2") || len(outcome.Attachments) != 1 || outcome.Attachments[0].Filename != "b.md" {
		t.Fatalf("got %+v", outcome)
	}
}

func TestTextArrivesInPiecesAndAStreamResumesAfterAnEvent(t *testing.T) {
	c, ctx := connect(t)
	id := must[*TaskCreateResponse](t)(c.Task.Create(ctx, say("stream one two three"))).TaskID
	deltas, first, enough := 0, "", errors.New("enough")
	err := c.StreamTask(ctx, id, StreamOptions{Verbose: true, Deltas: true}, func(item StreamItem) error {
		if item.Delta != nil {
			deltas++
			return nil
		}
		if first == "" {
			first = item.Event.ID
		}
		if item.Event.StatusUpdate != nil && item.Event.StatusUpdate.AgentStatus == "stopped" {
			return enough
		}
		return nil
	})
	if err != enough || deltas == 0 {
		t.Fatalf("got %v and %d pieces", err, deltas)
	}
	_ = c.StreamTask(ctx, id, StreamOptions{Verbose: true, LastEventID: first}, func(item StreamItem) error {
		if item.Event.ID == first {
			t.Error("the event came again")
		}
		return enough
	})
}

func TestErrorsNameFieldPageAndRequest(t *testing.T) {
	c, ctx := connect(t)
	_, err := c.Task.List(ctx, &TaskListRequest{Limit: Int(0)})
	var e *Error
	if !errors.As(err, &e) || e.Code != "invalid_argument" || e.Status != 400 || e.Param != "limit" || IsPassing(err) ||
		!strings.HasSuffix(e.DocURL, "/docs/errors/invalid_argument") || !strings.HasPrefix(e.RequestID, "req_") {
		t.Fatalf("got %#v", err)
	}
	if _, err := New(Options{}); err == nil {
		t.Fatal("a client without a credential")
	}
}

func TestDeliveriesOfAWebhookAreVerifiedWithItsSecret(t *testing.T) {
	c, ctx := connect(t)
	type delivery struct {
		header http.Header
		body   []byte
	}
	deliveries := make(chan delivery, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		deliveries <- delivery{r.Header, body}
	}))
	defer server.Close()
	hook := must[*WebhookCreateResponse](t)(c.Webhook.Create(ctx, &WebhookCreateRequest{URL: server.URL + "/hook"})).Webhook
	got := <-deliveries
	must[*WebhookDeleteResponse](t)(c.Webhook.Delete(ctx, &WebhookDeleteRequest{WebhookID: hook.ID}))
	if !VerifyWebhook(got.body, got.header, time.Now(), hook.Secret) {
		t.Error("a true delivery is refused")
	}
	if VerifyWebhook(append(got.body, ' '), got.header, time.Now(), hook.Secret) {
		t.Error("another body is accepted")
	}
	if VerifyWebhook(got.body, got.header, time.Now().Add(time.Hour), hook.Secret) {
		t.Error("an old delivery is accepted")
	}
	if VerifyWebhook(got.body, http.Header{}, time.Now(), hook.Secret) {
		t.Error("a delivery without a signature is accepted")
	}
}

// answering serves the given statuses in order, the last one again and again, and notes the idempotency keys of the requests.
func answering(t *testing.T, statuses ...int) (*Client, *[]string) {
	var lock sync.Mutex
	keys := &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		*keys = append(*keys, r.Header.Get("Idempotency-Key"))
		at := len(*keys) - 1
		if at >= len(statuses) {
			at = len(statuses) - 1
		}
		w.WriteHeader(statuses[at])
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "task_id": "t"})
	}))
	t.Cleanup(server.Close)
	return must[*Client](t)(New(Options{BaseURL: server.URL, APIKey: "sk-x"})), keys
}

func TestAWriteIsRepeatedWithTheSameKeyUntilItSucceeds(t *testing.T) {
	c, keys := answering(t, 503, 502, 200)
	made := must[*TaskCreateResponse](t)(c.Task.Create(context.Background(), say("x")))
	if made.TaskID != "t" || len(*keys) != 3 || (*keys)[0] == "" || (*keys)[0] != (*keys)[2] {
		t.Fatalf("got %v with %q", made, *keys)
	}
	must[*TaskCreateResponse](t)(c.Task.Create(WithIdempotencyKey(context.Background(), "mine"), say("x")))
	if (*keys)[3] != "mine" {
		t.Fatalf("got %q", *keys)
	}
}

func TestARequestWithASecretIsNotRepeated(t *testing.T) {
	c, keys := answering(t, 503)
	if _, err := c.Task.Token(context.Background(), &TaskTokenRequest{TaskID: "t", Can: []string{"read"}, ExpiresIn: 60}); err == nil {
		t.Fatal("no error")
	}
	if len(*keys) != 1 || (*keys)[0] != "" {
		t.Fatalf("got %q", *keys)
	}
}

func TestNoServiceIsAnErrorOfTheConnection(t *testing.T) {
	c := must[*Client](t)(New(Options{BaseURL: "http://127.0.0.1:9", APIKey: "sk-x", MaxRetries: -1}))
	_, err := c.Task.List(context.Background(), &TaskListRequest{})
	var e *Error
	if !errors.As(err, &e) || e.Code != "connection" || !IsPassing(err) {
		t.Fatalf("got %v", err)
	}
}
