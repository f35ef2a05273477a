package errand

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// StreamOptions are those of StreamTask.
type StreamOptions struct {
	// Verbose includes events that the list of messages leaves out by default.
	Verbose bool
	// Deltas includes pieces of what is being written.
	Deltas bool
	// LastEventID resumes after an event.
	LastEventID string
}

// StreamItem is an event of the log, or a piece of what is being written.
type StreamItem struct {
	// Event is nil for a piece.
	Event *TaskEvent
	// Delta is the JSON of a piece of the reply, Output that of a running tool.
	Delta, Output json.RawMessage
}

// StreamTask calls take with every event of a task, each once and in order, until take returns an error, which is returned, or the
// context ends: a connection that breaks is reopened after the last event.
func (c *Client) StreamTask(ctx context.Context, taskID string, options StreamOptions, take func(StreamItem) error) error {
	last := options.LastEventID
	for retry := 0; ; retry++ {
		var stopped error
		err := c.streamOnce(ctx, taskID, options, last, func(item StreamItem) error {
			if item.Event != nil {
				last = item.Event.ID
			}
			retry = 0
			stopped = take(item)
			return stopped
		})
		if stopped != nil {
			return stopped
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A stream ends temporarily when the service stops, or permanently; the next request shows which.
		if err != nil && !IsPassing(err) {
			return err
		}
		if err := pause(ctx, planDelay(retry, err)); err != nil {
			return err
		}
	}
}

func (c *Client) streamOnce(ctx context.Context, taskID string, options StreamOptions, last string, take func(StreamItem) error) error {
	query, err := json.Marshal(map[string]any{"task_id": taskID, "verbose": options.Verbose, "deltas": options.Deltas})
	if err != nil {
		return err
	}
	request, err := c.newRequest(ctx, "task.stream", read, "", query)
	if err != nil {
		return err
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := c.options.HTTP.Do(request)
	if err != nil {
		return lostConnection(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		return errorOf(response, body)
	}
	return readStream(response.Body, take)
}

// readStream reads server-sent events. A message that is cut off at the end is dropped.
func readStream(body io.Reader, take func(StreamItem) error) error {
	reader := bufio.NewReader(body)
	kind, data := "message", []string{}
	for {
		line, err := reader.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return lostConnection(err)
		}
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && len(data) > 0:
			item, err := readItem(kind, strings.Join(data, "\n"))
			if err == nil {
				err = take(item)
			}
			if err != nil {
				return err
			}
			kind, data = "message", nil
		case line == "":
			kind = "message"
		case field == "event":
			kind = value
		case field == "data":
			data = append(data, value)
		}
	}
}

func readItem(kind, data string) (StreamItem, error) {
	switch kind {
	case "delta":
		return StreamItem{Delta: json.RawMessage(data)}, nil
	case "output":
		return StreamItem{Output: json.RawMessage(data)}, nil
	case "error":
		var given envelope
		_ = json.Unmarshal([]byte(data), &given)
		return StreamItem{}, &Error{
			Code: given.Error.Code, Message: given.Error.Message, DocURL: given.Error.DocURL, RequestID: given.RequestID,
		}
	}
	event := new(TaskEvent)
	err := json.Unmarshal([]byte(data), event)
	return StreamItem{Event: event}, err
}
