#!/bin/sh
# Writes the alerts of deploy/observability as an object for the Prometheus Operator. A test compares the two.
set -eu
cd "$(dirname "$0")/../deploy"
{
    printf '%s\n' '# Written by scripts/prometheus-rule.sh from deploy/observability/alerts.yaml.' \
        'apiVersion: monitoring.coreos.com/v1' 'kind: PrometheusRule' 'metadata:' '  name: tokend' 'spec:'
    sed -e '/^#/d' -e 's/^\(.\)/  \1/' observability/alerts.yaml
} > kubernetes/components/monitoring/prometheus-rule.yaml
