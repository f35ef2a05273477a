package errand

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

const pollInterval = 250 * time.Millisecond

// UploadFile registers a file, sends its bytes, and waits until a message can reference its ID.
func (c *Client) UploadFile(ctx context.Context, filename string, data []byte) (*FileDetailResponse, error) {
	registered, err := c.File.Upload(ctx, &FileUploadRequest{Filename: filename})
	if err != nil {
		return nil, err
	}
	if err := c.put(ctx, registered.UploadURL, data); err != nil {
		return nil, err
	}
	for {
		answer, err := c.File.Detail(ctx, &FileDetailRequest{FileID: registered.File.ID})
		if err != nil || answer.File.Status == "uploaded" {
			return answer, err
		}
		if answer.File.Status != "pending" {
			return nil, &Error{Code: "upload_failed", Message: "the file is " + answer.File.Status}
		}
		if err := pause(ctx, pollInterval); err != nil {
			return nil, err
		}
	}
}

// put sends bytes to a pre-signed URL, without a credential.
func (c *Client) put(ctx context.Context, address string, data []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(data))
	if err != nil {
		return err
	}
	response, err := c.options.HTTP.Do(request)
	if err != nil {
		return lostConnection(err)
	}
	defer response.Body.Close()
	if response.StatusCode < 300 {
		return nil
	}
	body, _ := io.ReadAll(response.Body)
	return errorOf(response, body)
}
