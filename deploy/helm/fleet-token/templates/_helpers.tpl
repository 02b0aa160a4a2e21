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

{{- define "fleet-token.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels: {{- include "fleet-token.labels" . | nindent 2 }}
{{- end -}}

{{/* tokend.yaml: the values' configuration, with the listeners that the pod's ports and probes connect to. */}}
{{- define "fleet-token.configuration" -}}
{{- $listeners := dict "service" (dict "listen" "0.0.0.0:8080") "admin" (dict "listen" "0.0.0.0:9090") -}}
{{- $defaults := dict "version" 1 -}}
{{- if include "fleet-token.google" . }}{{ $_ := set $defaults "service" (dict "idleTimeout" "620s") }}{{ end -}}
{{- mustMergeOverwrite $defaults (deepCopy .Values.config) $listeners | toYaml -}}
{{- end -}}

{{/* Whether Google's load balancer is in front, which keeps connections for 600 seconds: "true" or empty. */}}
{{- define "fleet-token.google" -}}
{{- if or .Values.httpRoute.gke (hasPrefix "gce" .Values.ingress.className) }}true{{ end -}}
{{- end -}}

{{/* A duration such as 10s, in seconds. `tokend check` judges its form. */}}
{{- define "fleet-token.seconds" -}}
{{- mul (regexFind "^[0-9]+" (toString .) | int) (get (dict "m" 60 "h" 3600) (regexFind "[mh]$" (toString .)) | default 1) -}}
{{- end -}}

{{/* The time for which the service drains, in seconds. */}}
{{- define "fleet-token.drain" -}}
{{- include "fleet-token.seconds" (dig "service" "drain" "5s" .Values.config) -}}
{{- end -}}

{{/* The longest time from SIGTERM to the end of the last request, in seconds. The defaults are those of docs/configuration.md. */}}
{{- define "fleet-token.secondsToEnd" -}}
{{- $request := include "fleet-token.seconds" (dig "service" "requestTimeout" "10s" .Values.config) | int -}}
{{- add (include "fleet-token.drain" . | int) $request $request -}}
{{- end -}}

{{/* Whether the pods terminate TLS: "true" or empty. */}}
{{- define "fleet-token.tls" -}}
{{- if dig "service" "tls" dict .Values.config }}true{{ end -}}
{{- end -}}

{{/* Whether Google signs with the pod's own identity: "true" or empty. */}}
{{- define "fleet-token.workloadIdentity" -}}
{{- range dig "kinds" dict .Values.config -}}
{{- if and (kindIs "map" .) (hasKey . "iam") (not (hasKey . "credentials")) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{/* The health check of Google's load balancers. It notices a pod that drains within 8 seconds. */}}
{{- define "fleet-token.healthCheck" -}}
checkIntervalSec: 4
timeoutSec: 2
unhealthyThreshold: 2
healthyThreshold: 1
{{- end -}}

{{- define "fleet-token.servicePort" -}}
{{- ternary 443 80 (ne (include "fleet-token.tls" .) "") -}}
{{- end -}}

{{/* The fields that the pods of the service and of the check have in common, except the volumes of values and of tokend.yaml, which follow. */}}
{{- define "fleet-token.pod" -}}
{{- with .Values.podSpec }}{{ toYaml . }}{{ "\n" }}{{ end -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  # Files from Secrets belong to root and this group, mode 0440: the service can read them and trusts them.
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
volumes:
  {{- range $folder, $secret := .Values.secrets }}
  - name: {{ $folder }}
    secret: {secretName: {{ $secret }}, defaultMode: 0400}
  {{- end }}
{{- end -}}

{{/* The same for the container. */}}
{{- define "fleet-token.container" -}}
image: {{ .Values.image }}
# The commands of `kubectl exec` read it too.
env: [{name: TOKEND_CONFIG, value: /etc/tokend/config/tokend.yaml}]
resources: {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: config, mountPath: /etc/tokend/config, readOnly: true}
  {{- range $folder, $_ := .Values.secrets }}
  # The whole folder, no subPath, so that a changed Secret appears in the running pod.
  - {name: {{ $folder }}, mountPath: /etc/tokend/{{ $folder }}, readOnly: true}
  {{- end }}
  {{- range .Values.extraVolumes }}
  - {name: {{ .name }}, mountPath: {{ .mountPath }}}
  {{- end }}
{{- end -}}
