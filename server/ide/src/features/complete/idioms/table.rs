//! The properties, with their schemas in the APIs of Kubernetes.

/// The part of an object that a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectPart {
    /// The object itself.
    Root,
    /// The state that the user requests.
    Spec,
    /// The state that the controller reports.
    Status,
}

use ObjectPart::{Root, Spec, Status};

/// A property.
pub(super) struct Idiom {
    pub(super) name: &'static str,
    pub(super) parts: &'static [ObjectPart],
    /// Its purpose.
    pub(super) documentation: &'static str,
    /// Its schema, one keyword per line. A keyword without a value at the end is an object whose members the author writes.
    pub(super) schema: &'static str,
}

const fn idiom(
    name: &'static str,
    parts: &'static [ObjectPart],
    documentation: &'static str,
    schema: &'static str,
) -> Idiom {
    Idiom { name, parts, documentation, schema }
}

/// By name within each part.
pub(super) const IDIOMS: &[Idiom] = &[
    idiom("spec", &[Root], "Desired state.", "type: object\nproperties:"),
    idiom(
        "status",
        &[Root],
        "Observed state, which the controller reports. Enable the status subresource with it.",
        "type: object\nproperties:",
    ),
    idiom(
        "conditions",
        &[Status],
        "Current conditions of the object, one for each type, as `metav1.Condition`.",
        r#"type: array
maxItems: 32
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [type]
items:
  type: object
  required: [lastTransitionTime, message, reason, status, type]
  properties:
    type:
      type: string
      minLength: 1
      maxLength: 316
    status:
      type: string
      enum: ["True", "False", Unknown]
    reason:
      type: string
      minLength: 1
      maxLength: 1024
      pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
    message:
      type: string
      maxLength: 32768
    lastTransitionTime:
      type: string
      format: date-time
    observedGeneration:
      type: integer
      format: int64
      minimum: 0"#,
    ),
    idiom(
        "observedGeneration",
        &[Status],
        "The `metadata.generation` that the controller last processed.",
        "type: integer\nformat: int64\nminimum: 0",
    ),
    idiom(
        "readyReplicas",
        &[Status],
        "Number of ready replicas.",
        "type: integer\nformat: int32\nminimum: 0",
    ),
    idiom(
        "replicas",
        &[Spec, Status],
        "Desired number of replicas, which the scale subresource reads.",
        "type: integer\nformat: int32\nminimum: 0",
    ),
    idiom(
        "selector",
        &[Status],
        "Label selector of the replicas as a string, for the scale subresource.",
        "type: string\nmaxLength: 4096",
    ),
    idiom(
        "selector",
        &[Spec],
        "Label selector of the objects that belong to it, as `metav1.LabelSelector`.",
        r"type: object
x-kubernetes-map-type: atomic
properties:
  matchLabels:
    type: object
    maxProperties: 64
    additionalProperties:
      type: string
      maxLength: 63
  matchExpressions:
    type: array
    maxItems: 64
    x-kubernetes-list-type: atomic
    items:
      type: object
      required: [key, operator]
      properties:
        key:
          type: string
          maxLength: 317
        operator:
          type: string
          enum: [In, NotIn, Exists, DoesNotExist]
        values:
          type: array
          maxItems: 64
          x-kubernetes-list-type: atomic
          items:
            type: string
            maxLength: 63",
    ),
    idiom("image", &[Spec], "Container image.", "type: string\nminLength: 1\nmaxLength: 1024"),
    idiom(
        "imagePullPolicy",
        &[Spec],
        "When to pull the image.",
        "type: string\nenum: [Always, IfNotPresent, Never]",
    ),
    idiom(
        "command",
        &[Spec],
        "Command of the container, instead of the entry point of the image.",
        "type: array\nmaxItems: 64\nx-kubernetes-list-type: atomic\nitems:\n  type: string\n  maxLength: 4096",
    ),
    idiom(
        "args",
        &[Spec],
        "Arguments of the command.",
        "type: array\nmaxItems: 64\nx-kubernetes-list-type: atomic\nitems:\n  type: string\n  maxLength: 4096",
    ),
    idiom(
        "env",
        &[Spec],
        "Environment variables with unique names.",
        r"type: array
maxItems: 256
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [name]
items:
  type: object
  required: [name]
  properties:
    name:
      type: string
      minLength: 1
      maxLength: 253
    value:
      type: string
      maxLength: 32768",
    ),
    idiom("port", &[Spec], "A port.", "type: integer\nformat: int32\nminimum: 1\nmaximum: 65535"),
    idiom(
        "ports",
        &[Spec],
        "Ports with unique names.",
        r"type: array
maxItems: 64
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [name]
items:
  type: object
  required: [name, port]
  properties:
    name:
      type: string
      minLength: 1
      maxLength: 63
    port:
      type: integer
      format: int32
      minimum: 1
      maximum: 65535
    protocol:
      type: string
      enum: [TCP, UDP, SCTP]
      default: TCP",
    ),
    idiom(
        "resources",
        &[Spec],
        "Resource limits and requests of a container.",
        r"type: object
properties:
  limits:
    type: object
    maxProperties: 16
    additionalProperties:
      x-kubernetes-int-or-string: true
      maxLength: 64
  requests:
    type: object
    maxProperties: 16
    additionalProperties:
      x-kubernetes-int-or-string: true
      maxLength: 64",
    ),
    idiom(
        "storage",
        &[Spec],
        "An amount of storage, such as `10Gi`.",
        "x-kubernetes-int-or-string: true\nmaxLength: 64",
    ),
    idiom("storageClassName", &[Spec], "Storage class of the volumes.", "type: string\nmaxLength: 253"),
    idiom("serviceAccountName", &[Spec], "Service account of the pods.", "type: string\nmaxLength: 253"),
    idiom(
        "secretRef",
        &[Spec],
        "Secret in the same namespace.",
        r"type: object
x-kubernetes-map-type: atomic
required: [name]
properties:
  name:
    type: string
    minLength: 1
    maxLength: 253",
    ),
    idiom(
        "secretKeyRef",
        &[Spec],
        "Key of a secret in the same namespace.",
        r"type: object
x-kubernetes-map-type: atomic
required: [key, name]
properties:
  name:
    type: string
    minLength: 1
    maxLength: 253
  key:
    type: string
    minLength: 1
    maxLength: 253",
    ),
    idiom(
        "configMapRef",
        &[Spec],
        "Config map in the same namespace.",
        r"type: object
x-kubernetes-map-type: atomic
required: [name]
properties:
  name:
    type: string
    minLength: 1
    maxLength: 253",
    ),
    idiom(
        "labels",
        &[Spec],
        "Labels of the created objects.",
        "type: object\nmaxProperties: 64\nadditionalProperties:\n  type: string\n  maxLength: 63",
    ),
    idiom(
        "annotations",
        &[Spec],
        "Annotations of the created objects.",
        "type: object\nmaxProperties: 64\nadditionalProperties:\n  type: string\n  maxLength: 4096",
    ),
    idiom(
        "nodeSelector",
        &[Spec],
        "Labels of the nodes on which pods may run.",
        r"type: object
x-kubernetes-map-type: atomic
maxProperties: 64
additionalProperties:
  type: string
  maxLength: 63",
    ),
    idiom(
        "tolerations",
        &[Spec],
        "Node taints that the pods tolerate.",
        r"type: array
maxItems: 64
x-kubernetes-list-type: atomic
items:
  type: object
  properties:
    key:
      type: string
      maxLength: 317
    operator:
      type: string
      enum: [Exists, Equal]
    value:
      type: string
      maxLength: 63
    effect:
      type: string
      enum: [NoSchedule, PreferNoSchedule, NoExecute]
    tolerationSeconds:
      type: integer
      format: int64",
    ),
    idiom("suspend", &[Spec], "Whether the controller ignores the object.", "type: boolean"),
    idiom("paused", &[Spec], "Whether the controller pauses its work on the object.", "type: boolean"),
    idiom(
        "interval",
        &[Spec],
        "Time between two runs, such as `5m`.",
        "type: string\nformat: duration\nmaxLength: 32",
    ),
    idiom("timeout", &[Spec], "Time limit, such as `30s`.", "type: string\nformat: duration\nmaxLength: 32"),
    idiom("schedule", &[Spec], "Schedule in cron format.", "type: string\nminLength: 1\nmaxLength: 256"),
    idiom("url", &[Spec], "URL.", "type: string\nformat: uri\nmaxLength: 2048"),
    idiom(
        "phase",
        &[Status],
        "Phase of the object, for people. Programs should read `conditions`.",
        "type: string\nmaxLength: 63",
    ),
];
