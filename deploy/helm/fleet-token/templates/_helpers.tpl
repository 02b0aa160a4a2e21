{{- define "fleet-token.name" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 53 | trimSuffix "-" -}}
{{- end -}}

{{- define "fleet-token.selector" -}}
app.kubernetes.io/name: tokend
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fleet-token.labels" -}}
{{ include "fleet-token.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "fleet-token.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "fleet-token.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Its text; a file from Windows has other line ends. */}}
{{- define "fleet-token.configuration" -}}
{{- .Values.configuration | replace "\r\n" "\n" -}}
{{- end -}}

{{/* A change of the configuration gives another name, so that it replaces the pods, and a rollback restores it. */}}
{{- define "fleet-token.configMap" -}}
{{- printf "%s-%s" (include "fleet-token.name" .) (include "fleet-token.configuration" . | sha256sum | trunc 10) -}}
{{- end -}}

{{- define "fleet-token.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- with .Values.image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{/* The Secrets whose files appear below /etc/tokend, by the folder's name. */}}
{{- define "fleet-token.secrets" -}}
{{- with .Values.callers.existingSecret }}
callers: {{ . }}
{{- end }}
{{- with .Values.keys.existingSecret }}
keys: {{ . }}
{{- end }}
{{- with .Values.pkcs11.existingSecret }}
pkcs11: {{ . }}
{{- end }}
{{- with .Values.tls.existingSecret }}
tls: {{ . }}
{{- end }}
{{- if .Values.redis.enabled }}{{ with .Values.redis.existingSecret }}
redis: {{ . }}
{{- end }}{{ end }}
{{- end -}}

{{/* The Service's port, and how its pods are spoken to. */}}
{{- define "fleet-token.servicePort" -}}
{{- default (ternary 443 80 (ne .Values.tls.existingSecret "")) .Values.service.port -}}
{{- end -}}
