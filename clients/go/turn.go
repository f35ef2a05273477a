package errand

import (
	"context"
	"errors"
)

// Outcome is the state of a task at the end of a turn.
type Outcome struct {
	TaskID string
	// Status is "stopped", "error", or "waiting" if the agent has asked a question.
	Status string
	// Message is the last one of the agent in this turn: its answer, its question, or the error.
	Message     string
	Attachments []TaskEventAssistantMessageContentAttachmentsItem
	// StructuredOutput is present if the turn had a schema.
	StructuredOutput *TaskEventStructuredOutputResultContent
	// LastEventID is that of the last event, after which a stream can resume.
	LastEventID string
}

func (o *Outcome) read(event *TaskEvent) {
	o.LastEventID = event.ID
	switch {
	case event.UserMessage != nil:
		o.Message, o.Attachments, o.StructuredOutput = "", nil, nil
	case event.AssistantMessage != nil:
		o.Message, o.Attachments = event.AssistantMessage.Content, event.AssistantMessage.Attachments
	case event.ErrorMessage != nil:
		o.Message = event.ErrorMessage.Content
	case event.StructuredOutputResult != nil:
		o.StructuredOutput = event.StructuredOutputResult
	case event.StatusUpdate != nil:
		o.Status = event.StatusUpdate.AgentStatus
		detail := event.StatusUpdate.StatusDetail
		if o.Status == "waiting" && detail.WaitingDescription != nil {
			o.Message = *detail.WaitingDescription
		}
	}
}

func (o *Outcome) hasEnded() bool {
	return o.Status == "stopped" || o.Status == "waiting" || o.Status == "error"
}

var errEnded = errors.New("the turn has ended")

// WaitForTask waits until the task's turn is over: stopped, failed, or waiting for an answer.
func (c *Client) WaitForTask(ctx context.Context, taskID string) (*Outcome, error) {
	turn := &Outcome{TaskID: taskID}
	err := c.StreamTask(ctx, taskID, StreamOptions{Verbose: true}, func(item StreamItem) error {
		if item.Event == nil {
			return nil
		}
		turn.read(item.Event)
		if !turn.hasEnded() {
			return nil
		}
		// The log may continue after the end of an earlier turn: only its newest event shows the current status.
		newest, err := c.Task.ListMessages(ctx, &TaskListMessagesRequest{TaskID: taskID, Limit: Int(1), Verbose: Bool(true)})
		if err == nil && len(newest.Messages) > 0 && newest.Messages[0].ID == turn.LastEventID {
			return errEnded
		}
		return err
	})
	if errors.Is(err, errEnded) {
		return turn, nil
	}
	return nil, err
}
