// The initial examples of the playground. `test/examples.test.mjs` checks the findings of each.

const crd = (kind, versions, more = "") => {
  const plural = `${kind.toLowerCase()}s`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
spec:
  group: example.com
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    singular: ${kind.toLowerCase()}
  scope: Namespaced
${more}  versions:
${versions}`;
};

const version = (name, storage, schema) => `    - name: ${name}
      served: true
      storage: ${storage}
      schema:
        openAPIV3Schema:
${schema}`;

const OBJECT = `          type: object
          properties:
            spec:
              type: object
`;

export const examples = [
  {
    name: "A type is missing",
    definition: crd(
      "Widget",
      version(
        "v1",
        true,
        `${OBJECT}              properties:
                size:
                  minimum: 1
                colour:
                  type: string
`,
      ),
    ),
    resource: `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
spec:
  size: 3
  colour: blue
`,
    shows: ["structural/type-required"],
  },
  {
    name: "A type in a junctor",
    definition: crd(
      "Backend",
      version(
        "v1",
        true,
        `${OBJECT}              properties:
                port:
                  x-kubernetes-int-or-string: true
                  anyOf:
                    - type: integer
                      minimum: 1
                    - type: string
                      pattern: ^[a-z]+$
`,
      ),
    ),
    resource: `apiVersion: example.com/v1
kind: Backend
metadata:
  name: first
spec:
  port: http
`,
    shows: ["structural/junctor-type"],
  },
  {
    name: "A rule that is too expensive",
    definition: crd(
      "Fleet",
      version(
        "v1",
        true,
        `${OBJECT}              properties:
                ships:
                  type: array
                  items:
                    type: object
                    properties:
                      name:
                        type: string
                  x-kubernetes-validations:
                    - rule: self.all(a, self.exists_one(b, a.name == b.name))
                      message: names must be unique
`,
      ),
    ),
    resource: `apiVersion: example.com/v1
kind: Fleet
metadata:
  name: first
spec:
  ships:
    - name: dove
    - name: hawk
`,
    shows: ["cel/rule-cost"],
  },
  {
    name: "A conversion that loses data",
    definition: crd(
      "Door",
      version(
        "v1",
        true,
        `${OBJECT}              properties:
                width:
                  type: integer
`,
      ) +
        version(
          "v1beta1",
          false,
          `${OBJECT}              properties:
                width:
                  type: integer
                paint:
                  type: string
`,
        ),
      "  conversion:\n    strategy: None\n",
    ),
    resource: `apiVersion: example.com/v1beta1
kind: Door
metadata:
  name: first
spec:
  width: 80
  paint: green
`,
    shows: [],
  },
  {
    name: "A change that breaks resources",
    definition: crd(
      "Lamp",
      version(
        "v1",
        true,
        `${OBJECT}              required: [bulb]
              properties:
                bulb:
                  type: string
                  maxLength: 10
                watts:
                  type: integer
                  default: 5
`,
      ),
    ),
    old: crd(
      "Lamp",
      version(
        "v1",
        true,
        `${OBJECT}              properties:
                bulb:
                  type: string
                watts:
                  type: integer
                  default: 5
`,
      ),
    ),
    resource: `apiVersion: example.com/v1
kind: Lamp
metadata:
  name: first
spec:
  bulbs: halogen
`,
    shows: ["resource/unknown-field"],
  },
];
