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

{{/* What the pods of the service and of the check have in common: the pod's fields, without the ConfigMap's volume, which follows. */}}
{{- define "fleet-token.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  # Files from Secrets belong to root and this group, mode 0440, so the service can read them and trusts them.
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
volumes:
  {{- range $folder, $secret := include "fleet-token.secrets" . | fromYaml }}
  - name: {{ $folder }}
    secret: {secretName: {{ $secret }}, defaultMode: 0400}
  {{- end }}
  {{- with .Values.audit.volume }}
  - name: audit
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.extraVolumes }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end -}}

{{/* The same for the container. */}}
{{- define "fleet-token.container" -}}
image: {{ include "fleet-token.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.extraEnv }}
env: {{- toYaml . | nindent 2 }}
{{- end }}
resources: {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: config, mountPath: /etc/tokend/config, readOnly: true}
  {{- range $folder, $_ := include "fleet-token.secrets" . | fromYaml }}
  # The whole folder, no subPath, so that a changed Secret appears in the running pod.
  - {name: {{ $folder }}, mountPath: /etc/tokend/{{ $folder }}, readOnly: true}
  {{- end }}
  {{- if .Values.audit.volume }}
  - {name: audit, mountPath: /var/lib/tokend}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end -}}
