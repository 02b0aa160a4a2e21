{{/* Values that cannot work, all at once. Tests/EndToEnd/test_helm.py has a case for each. */}}
{{- define "fleet-token.validate" -}}
{{- $problems := include "fleet-token.problems" . | trim -}}
{{- if $problems -}}
{{- fail (printf "These values cannot work:\n%s" $problems) -}}
{{- end -}}
{{- end -}}

{{- define "fleet-token.problems" -}}
{{- $values := .Values -}}
{{- $configuration := include "fleet-token.configuration" . | fromYaml -}}
{{- if hasKey $configuration "Error" }}
- configuration is not YAML: {{ $configuration.Error }}
{{- else if not .Values.configuration }}
- configuration is missing: --set-file configuration=tokend.yaml
{{- else }}
{{- if ne (dig "version" 0 $configuration | int) 1 }}
- configuration: version must be 1.
{{- end }}
{{- range $section, $_ := $configuration }}
{{- if not (has $section (list "version" "service" "admin" "kinds" "callers" "webhooks" "grants" "limits" "audit" "log")) }}
- configuration: {{ $section }} is an unknown setting.
{{- end }}
{{- end }}
{{- /* Where it listens. */}}
{{- range $name, $port := dict "service" "8080" "admin" "9090" }}
{{- if not (regexMatch (printf "^(0\\.0\\.0\\.0|\\[::\\]):%s$" $port) (dig $name "listen" "" $configuration)) }}
- configuration: {{ $name }}.listen must be "0.0.0.0:{{ $port }}", where the pod's probes and the Service connect to.
{{- end }}
{{- end }}
{{- $tls := dig "service" "tls" dict $configuration }}
{{- if and $tls (not $values.tls.existingSecret) }}
- configuration: service.tls requires tls.existingSecret, so that the pod has the certificate and the Service says https.
{{- end }}
{{- if and $values.tls.existingSecret (not $tls) }}
- tls.existingSecret requires service.tls in the configuration, with /etc/tokend/tls/tls.crt and /etc/tokend/tls/tls.key.
{{- end }}
{{- /* The files that it reads. */}}
{{- $mounts := list "/etc/tokend/config" }}
{{- range $folder, $_ := include "fleet-token.secrets" . | fromYaml }}{{ $mounts = append $mounts (printf "/etc/tokend/%s" $folder) }}{{ end }}
{{- if $values.audit.volume }}{{ $mounts = append $mounts "/var/lib/tokend" }}{{ end }}
{{- range $values.extraVolumeMounts }}{{ $mounts = append $mounts (trimSuffix "/" (toString .mountPath)) }}{{ end }}
{{- range regexFindAll "(/etc/tokend|/var/lib/tokend)/[A-Za-z0-9._/-]+" (toYaml $configuration) -1 | uniq }}
{{- $path := . }}
{{- $isMounted := false }}
{{- range $mounts }}{{ if hasPrefix (printf "%s/" .) $path }}{{ $isMounted = true }}{{ end }}{{ end }}
{{- if not $isMounted }}
- configuration: nothing mounts {{ $path }}. Set the existingSecret, or the volume, of its folder, or extraVolumes and extraVolumeMounts.
{{- end }}
{{- end }}
{{- range regexFindAll "(serviceAccount|file|passwordFile|secretFile|caFile|keysFile|idHmacKeyFile): *\"?[^/\"{\\s][^\\s]*" (toYaml $configuration) -1 | uniq }}
- configuration: {{ . }} is relative to the ConfigMap's folder, which has no such file. Write the whole path.
{{- end }}
{{- /* Redis. */}}
{{- if and (dig "limits" "redis" dict $configuration) (not $values.redis.enabled) }}
- configuration: limits.redis requires redis.enabled, which lets the pods reach it.
{{- end }}
{{- if and $values.redis.enabled (not (dig "limits" "redis" dict $configuration)) }}
- redis.enabled requires limits.redis in the configuration.
{{- end }}
{{- $address := dig "limits" "redis" "address" "" $configuration }}
{{- if and $values.redis.enabled $values.networkPolicy.enabled $address (not (hasSuffix (printf ":%d" (int $values.redis.port)) $address)) (not $values.networkPolicy.extraEgress) }}
- configuration: limits.redis.address is {{ $address }}, and the network policy admits port {{ $values.redis.port }}, which redis.port sets.
{{- end }}
{{- /* Google signs. */}}
{{- range $kind, $ring := dig "kinds" dict $configuration }}
{{- if and (kindIs "map" $ring) (hasKey $ring "iam") (not (hasKey $ring "credentials")) (not $values.workloadIdentity.enabled) }}
- configuration: kinds.{{ $kind }}.iam requires workloadIdentity.enabled, which lets the pods reach the metadata server, or credentials.
{{- end }}
{{- end }}
{{- if and (or $values.gke.gateway $values.gke.ingress) (lt (dig "service" "drainSeconds" 5 $configuration | int) 10) }}
- gke requires service.drainSeconds of at least 10: the load balancer notices after 8 seconds that a pod drains.
{{- end }}
{{- /* Shutdown: the defaults are those of docs/configuration.md. */}}
{{- $seconds := add (dig "service" "drainSeconds" 5 $configuration | int) (dig "limits" "receiveSeconds" 10 $configuration | int) (dig "limits" "handleSeconds" 10 $configuration | int) }}
{{- if le (int $values.terminationGracePeriodSeconds) (int $seconds) }}
- terminationGracePeriodSeconds ({{ $values.terminationGracePeriodSeconds }}) must be greater than {{ $seconds }}, the sum of service.drainSeconds, limits.receiveSeconds and limits.handleSeconds.
{{- end }}
{{- end }}
{{- if not $values.image.repository }}
- image.repository is missing: name the image in your registry.
{{- end }}
{{- $memory := dig "limits" "memory" "" $values.resources }}
{{- if and (regexMatch "^[0-9]{1,3}M" $memory) (lt (regexFind "^[0-9]+" $memory | int) 64) }}
- resources.limits.memory ({{ $memory }}) is less than the 64Mi that the service needs.
{{- end }}
{{- if and $values.autoscaling.enabled (gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas)) }}
- autoscaling.minReplicas ({{ $values.autoscaling.minReplicas }}) is greater than maxReplicas ({{ $values.autoscaling.maxReplicas }}).
{{- end }}
{{- if and $values.podDisruptionBudget.enabled (regexMatch "^0+%?$" (toString $values.podDisruptionBudget.maxUnavailable)) }}
- podDisruptionBudget.maxUnavailable is 0: no node could be drained.
{{- end }}
{{- if hasKey $values.audit.volume "emptyDir" }}
- audit.volume must not be an emptyDir: every user may write to it, so the service refuses it. Use an ephemeral volume.
{{- end }}
{{- if hasKey $values.audit.volume "persistentVolumeClaim" }}
- audit.volume must not be a persistentVolumeClaim, which all pods share: a trail has one writer. Use an ephemeral volume.
{{- end }}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) }}
- httpRoute.parentRefs is empty: name the Gateway.
{{- end }}
{{- if and $values.workloadIdentity.googleServiceAccount (not $values.serviceAccount.create) }}
- workloadIdentity.googleServiceAccount requires serviceAccount.create: annotate your own service account instead.
{{- end }}
{{- $names := list "tokend" }}
{{- range $values.extraContainers }}
{{- if has .name $names }}
- extraContainers: there are two containers of the name {{ .name }}.
{{- end }}
{{- $names = append $names .name }}
{{- end }}
{{- end -}}
