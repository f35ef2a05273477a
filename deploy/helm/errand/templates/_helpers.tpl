{{/* Labels of a process: a dict of root and role. */}}
{{- define "errand.selector" -}}
app.kubernetes.io/name: errand
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "errand.labels" -}}
{{ include "errand.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "errand.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* Settings that all processes share. */}}
{{- define "errand.settings" -}}
- { name: ERRAND_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: ERRAND_CONTENT_URL, value: {{ .Values.contentUrl | quote }} }
- { name: ERRAND_BLOBS, value: {{ .Values.blobs | quote }} }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{/* A process that stops is out of the service before it refuses connections, and has time to hand its tasks over. */}}
{{- define "errand.life" -}}
lifecycle:
  preStop: { sleep: { seconds: 5 } }
startupProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 2, failureThreshold: 60 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 3 }
livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, failureThreshold: 6 }
{{- end }}
