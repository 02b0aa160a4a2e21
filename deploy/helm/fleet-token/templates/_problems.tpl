{{/* What only the chart can know; `tokend check` judges the configuration. Tests/EndToEnd/chart.yaml has a case for each problem. */}}
{{- define "fleet-token.validate" -}}
{{- $problems := include "fleet-token.problems" . | trim -}}
{{- if $problems -}}
{{- fail (printf "These values cannot work:\n%s" $problems) -}}
{{- end -}}
{{- end -}}

{{- define "fleet-token.problems" -}}
{{- $values := .Values -}}
{{- range list "service" "admin" }}
{{- if hasKey (dig . dict $values.config) "listen" }}
- config.{{ . }}.listen is set by the chart: the pod's probes and the Service connect to it. Remove it.
{{- end }}
{{- end }}
{{- $isGoogle := include "fleet-token.google" . }}
{{- if and $isGoogle (lt (include "fleet-token.drain" . | int) 10) }}
- config.service.drain must be at least 10s: Google's load balancer notices after 8 seconds that a pod drains.
{{- end }}
{{- if and $isGoogle (le (include "fleet-token.seconds" (include "fleet-token.configuration" . | fromYaml).service.idleTimeout | int) 600) }}
- config.service.idleTimeout must be longer than 600s: Google's load balancer keeps a connection for so long. Remove it for 620s.
{{- end }}
{{- /* The files that it reads. */}}
{{- $mounts := list "/etc/tokend/config" }}
{{- range $folder, $_ := $values.secrets }}{{ $mounts = append $mounts (printf "/etc/tokend/%s" $folder) }}{{ end }}
{{- range $values.extraVolumes }}{{ $mounts = append $mounts (trimSuffix "/" .mountPath) }}{{ end }}
{{- range regexFindAll "(/etc/tokend|/var/lib/tokend)/[A-Za-z0-9._/-]+" (toYaml $values.config) -1 | uniq }}
{{- $path := . }}
{{- $isMounted := false }}
{{- range $mounts }}{{ if hasPrefix (printf "%s/" .) $path }}{{ $isMounted = true }}{{ end }}{{ end }}
{{- if not $isMounted }}
- config: nothing mounts {{ $path }}. Add its folder to secrets or extraVolumes.
{{- end }}
{{- end }}
{{- /* The network. */}}
{{- if $values.networkPolicy.enabled }}
{{- $ports := dict }}
{{- range $values.networkPolicy.egressPorts }}{{ $_ := set $ports (toString .) true }}{{ end }}
{{- range regexFindAll "https://[^/\\s\"]+" (toYaml (pick $values.config "callers" "webhooks")) -1 | uniq }}
{{- $port := regexFind ":[0-9]+$" . | trimPrefix ":" | default "443" }}
{{- if not (hasKey $ports $port) }}
- networkPolicy.egressPorts does not allow port {{ $port }} of {{ . }}.
{{- end }}
{{- end }}
{{- if and (include "fleet-token.workloadIdentity" .) (not (hasKey $ports "443")) }}
- networkPolicy.egressPorts does not allow port 443, which `iam` needs for Google's API.
{{- end }}
{{- end }}
{{- if and (hasPrefix "gce" $values.ingress.className) $values.networkPolicy.enabled $values.networkPolicy.from (not (regexMatch "35\\.191\\." (toYaml $values.networkPolicy.from))) }}
- networkPolicy.from does not allow the health checks of Google's load balancers: add {ipBlock: {cidr: 130.211.0.0/22}} and {ipBlock: {cidr: 35.191.0.0/16}}.
{{- end }}
{{- /* The objects. */}}
{{- if not $values.image }}
- image is missing: name the image in your registry.
{{- end }}
{{- if gt (int $values.replicas.min) (int $values.replicas.max) }}
- replicas.min ({{ $values.replicas.min }}) is greater than replicas.max ({{ $values.replicas.max }}).
{{- end }}
{{- if and $values.ingress.className (not $values.ingress.host) }}
- ingress.className requires ingress.host.
{{- end }}
{{- if and $values.httpRoute.gke (not $values.httpRoute.parentRefs) }}
- httpRoute.gke requires httpRoute.parentRefs: name the Gateway.
{{- end }}
{{- end -}}
