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
{{- with .Values.kafka.tls }}
{{- if .enabled }}
- { name: KAFKA_TLS, value: "true" }
{{- end }}
{{- if .certificates }}
- { name: KAFKA_TLS_CA_FILE, value: /etc/tollgate/kafka/ca.crt }
{{- end }}
{{- if .clientCertificate }}
- { name: KAFKA_TLS_CERTIFICATE_FILE, value: /etc/tollgate/kafka/tls.crt }
- { name: KAFKA_TLS_KEY, valueFrom: { secretKeyRef: { name: {{ .certificates }}, key: tls.key } } }
{{- end }}
{{- end }}
{{- $signIn := .Values.kafka.signIn }}
{{- range $name, $value := dict "KAFKA_SASL_MECHANISM" $signIn.mechanism "KAFKA_OAUTH_TOKEN_URL" $signIn.oauthTokenUrl "KAFKA_OAUTH_CLIENT_ID" $signIn.oauthClientId "KAFKA_OAUTH_SCOPE" $signIn.oauthScope }}
{{- if $value }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
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

{{/* The Secret with the certificates of a store, if there is one. */}}
{{- define "tollgate.certificates" -}}
{{- get (dict "kafka" .root.Values.kafka.tls.certificates "postgresql" .root.Values.postgresql.certificates "redis" .root.Values.redis.certificates) .store }}
{{- end }}

{{/* What a container sees besides its image: a folder to write to, and the certificates of its stores. */}}
{{- define "tollgate.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range .stores }}
{{- if include "tollgate.certificates" (dict "root" $.root "store" .) }}
- { name: {{ . }}-certificates, mountPath: /etc/tollgate/{{ . }}, readOnly: true }
{{- end }}
{{- end }}
{{- end }}

{{- define "tollgate.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- range $store := .stores }}
{{- with include "tollgate.certificates" (dict "root" $.root "store" $store) }}
- { name: {{ $store }}-certificates, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
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
