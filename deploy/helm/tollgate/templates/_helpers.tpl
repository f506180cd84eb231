{{- define "tollgate.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
{{- end }}

{{- define "tollgate.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}tollgate/{{ .service }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* What selects the pods of a part. */}}
{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "tollgate.secretName" -}}
{{ .Values.secrets.existing | default (printf "%s-secrets" (include "tollgate.name" .)) }}
{{- end }}

{{/* The roles of the database: each service has its own. */}}
{{- define "tollgate.roles" -}}
AUTH_API AUTH_WORKER INGEST_GATEWAY_API INGEST_GATEWAY_WORKER AGGREGATOR_WORKER BILLING_API BILLING_WORKER NOTIFIER_API NOTIFIER_WORKER
{{- end }}

{{- define "tollgate.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tollgate.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* A variable from a key of the Secret. An optional one without a key stays unset. */}}
{{- define "tollgate.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ include "tollgate.secretName" .root }}, key: {{ .key | default .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end }}

{{- define "tollgate.kafka" -}}
- { name: EVENT_LOG, value: kafka }
- { name: KAFKA_BROKERS, value: {{ .Values.kafka.own | ternary (printf "%s-kafka:9092" (include "tollgate.name" .)) .Values.kafka.brokers | quote }} }
- { name: KAFKA_REPLICATION_FACTOR, value: {{ .Values.kafka.own | ternary 1 .Values.eventLog.replicationFactor | quote }} }
- { name: USAGE_EVENT_PARTITIONS, value: {{ .Values.eventLog.partitions | quote }} }
{{- range list "KAFKA_USERNAME" "KAFKA_PASSWORD" "KAFKA_OAUTH_CLIENT_SECRET" }}
{{ include "tollgate.fromSecret" (dict "root" $ "name" . "optional" true) }}
{{- end }}
{{- end }}

{{/* The settings of a service: those of all, then its own. */}}
{{- define "tollgate.settings" -}}
{{- $settings := merge (dict) (index .root.Values.settings .service) .root.Values.settings.all }}
{{- range $name, $value := $settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{/* Kubernetes may end one pod of a part at a time. */}}
{{- define "tollgate.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tollgate.name" .root }}-{{ .part }}
  labels: {{ include "tollgate.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector: { matchLabels: { {{ include "tollgate.selector" . | replace "\n" ", " }} } }
{{- end }}

{{- define "tollgate.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector: { matchLabels: { {{ include "tollgate.selector" . | replace "\n" ", " }} } }
{{- end }}
