package errand

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Older deliveries, and those from the future, are rejected: they may be replayed.
const tolerance = 5 * time.Minute

// VerifyWebhook tells whether the service that owns one of the secrets (whsec_…, of webhook.create) sent exactly this, within five
// minutes of now. During a rotation, give both secrets.
func VerifyWebhook(body []byte, header http.Header, now time.Time, secrets ...string) bool {
	stamp := header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	age := now.Sub(time.Unix(seconds, 0))
	if err != nil || age > tolerance || age < -tolerance {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(header.Get("Webhook-Id") + "." + stamp + "."))
		mac.Write(body)
		expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, text := range strings.Fields(header.Get("Webhook-Signature")) {
			version, signature, _ := strings.Cut(text, ",")
			if version == "v1" && hmac.Equal([]byte(expected), []byte(signature)) {
				return true
			}
		}
	}
	return false
}
