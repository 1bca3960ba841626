package dev.keelson.schema.structural.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.testing.CustomSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is rejected in custom objects, in Kubernetes' words and order. */
class CustomObjectValidationTest {

  private static final CustomObjectValidation VALIDATION =
      new CustomObjectValidation(ObjectMetaRules.NONE, CustomExpressions.NONE);

  private static MapNode object(String yaml) {
    return NormalForm.of(CustomSchemas.object(yaml));
  }

  private static List<String> causes(List<FieldCause> causes) {
    return causes.stream().map(FieldCause::summary).toList();
  }

  private static List<String> create(String schema, String object) {
    return causes(
        VALIDATION.validateCreate(CustomSchemas.version(schema), object(object), _ -> {}));
  }

  private static List<String> update(String schema, String old, String object) {
    return causes(
        VALIDATION.validateUpdate(
            CustomSchemas.version(schema), "", object(object), object(old), _ -> {}));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {type: string}                                  | 5            | f: Invalid value: "integer": f in body must be of type string: "integer"
          {type: string}                                  | true         | f: Invalid value: "boolean": f in body must be of type string: "boolean"
          {type: string}                                  | null         | f: Invalid value: "null": f in body must be of type string: "null"
          {type: string, nullable: true}                  | null         |
          {}                                              | null         |
          {type: integer}                                 | five         | f: Invalid value: "string": f in body must be of type integer: "string"
          {type: integer}                                 | 1.5          | f: Invalid value: "number": f in body must be of type integer: "number"
          {type: integer}                                 | 1.0          |
          {type: number}                                  | 1            |
          {type: number}                                  | 1.5          |
          {type: number}                                  | [1]          | f: Invalid value: "array": f in body must be of type number: "array"
          {type: boolean}                                 | a            | f: Invalid value: "string": f in body must be of type boolean: "string"
          {type: object}                                  | [1]          | f: Invalid value: "array": f in body must be of type object: "array"
          {type: array}                                   | {a: 1}       | f: Invalid value: "object": f in body must be of type array: "object"
          {x-kubernetes-int-or-string: true}              | 5            |
          {x-kubernetes-int-or-string: true}              | 5%           |
          {x-kubernetes-int-or-string: true}              | true         | f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"
          {x-kubernetes-int-or-string: true}              | 1.5          | f: Invalid value: "number": f in body must be of type integer,string: "number"
          {type: string, enum: [a, b]}                    | c            | f: Unsupported value: "c": supported values: "a", "b"
          {type: string, enum: [a, b]}                    | a            |
          {enum: [a, 1, {b: 2}, null]}                    | {b: 2}       |
          {enum: [a, 1, {b: 2}, 1.5]}                     | {b: 3}       | f: Unsupported value: {"b":3}: supported values: "a", "1", "{\\"b\\":2}", "1.5"
          {type: number, enum: [1, 2.5]}                  | 1.0          |
          {type: number, enum: [1]}                       | 1.5          | f: Unsupported value: 1.5: supported values: "1"
          {type: string, nullable: true, enum: [a]}       | null         | f: Unsupported value: null: supported values: "a"
          {type: integer, minimum: 2}                     | 1            | f: Invalid value: 1: f in body should be greater than or equal to 2
          {type: integer, minimum: 2}                     | 2            |
          {type: integer, minimum: 2, exclusiveMinimum: true} | 2        | f: Invalid value: 2: f in body should be greater than 2
          {type: integer, maximum: 2}                     | 3            | f: Invalid value: 3: f in body should be less than or equal to 2
          {type: integer, maximum: 2, exclusiveMaximum: true} | 2        | f: Invalid value: 2: f in body should be less than 2
          {type: number, maximum: 2.5}                    | 2.75         | f: Invalid value: 2.75: f in body should be less than or equal to 2.5
          {type: number, minimum: 0.00001}                | 0.000001     | f: Invalid value: 1e-06: f in body should be greater than or equal to 1e-05
          {type: integer, multipleOf: 5}                  | 7            | f: Invalid value: 7: f in body should be a multiple of 5
          {type: integer, multipleOf: 5}                  | 10           |
          {type: number, multipleOf: 0.1}                 | 0.3          |
          {type: number, multipleOf: 0.1}                 | 0.35         | f: Invalid value: 0.35: f in body should be a multiple of 0.1
          {type: integer, format: int32}                  | 2147483648   | <nil>: Invalid value: "": Checked value must be of type integer with format int32 in f
          {type: integer, format: int32}                  | -2147483648  |
          {type: integer, format: int64}                  | 2147483648   |
          {type: integer, format: int32, maximum: 4294967295} | 5        | <nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in f
          {type: integer, format: int32}                  | true         | f: Invalid value: "": f in body must be of type int32: ""
          {type: number, format: float}                   | 1e39         | <nil>: Invalid value: "": Checked value must be of type number with format float in f
          {type: string, maxLength: 2}                    | abc          | f: Too long: may not be more than 2 bytes
          {type: string, maxLength: 1}                    | ab           | f: Too long: may not be more than 1 byte
          {type: string, maxLength: 2}                    | 😀😀         |
          {type: string, minLength: 2}                    | 😀           | f: Invalid value: "😀": f in body should be at least 2 chars long
          {type: string, pattern: '^a+$'}                 | b            | f: Invalid value: "b": f in body should match '^a+$'
          {type: string, pattern: 'b'}                    | abc          |
          {type: string, minLength: 3, pattern: '^a+$'}   | b            | f: Invalid value: "b": f in body should be at least 3 chars long
          {type: array, minItems: 2}                      | [1]          | f: Invalid value: 1: f in body should have at least 2 items
          {type: array, maxItems: 1}                      | [1, 2]       | f: Too many: 2: must have at most 1 item
          {type: array, maxItems: 2}                      | [1, 2, 3]    | f: Too many: 3: must have at most 2 items
          {type: array, uniqueItems: true}                | [{a: 1}, {a: 1}] | f: Invalid value: "": f in body shouldn't contain duplicates
          {type: array, items: {type: string}}            | [a, 1, null] | f[1]: Invalid value: "integer": f[1] in body must be of type string: "integer"; f[2]: Invalid value: "null": f[2] in body must be of type string: "null"
          {type: object, minProperties: 2}                | {a: 1}       | f: Invalid value: 1: f in body should have at least 2 properties
          {type: object, maxProperties: 1}                | {a: 1, b: 2} | f: Too many: 2: must have at most 1 item
          {type: object, required: [b, a]}                | {c: 1}       | f.b: Required value; f.a: Required value
          {type: object, required: [a]}                   | {a: null}    |
          {type: object, additionalProperties: {type: string}} | {b: 1, a: x} | f.b: Invalid value: "integer": f.b in body must be of type string: "integer"
          {type: object, additionalProperties: false}     | {b: 1}       | f: Invalid value: "b": f.b in body is a forbidden property
          {type: object, properties: {a: {type: object, properties: {b: {type: array, items: {type: object, required: [c]}}}}}} | {a: {b: [{}]}} | f.a.b[0].c: Required value
          """)
  void create_rejectsWhatTheSchemaDoesNotAllow(
      String schema, String value, @Nullable String causes) {
    List<String> found =
        create("{type: object, properties: {f: " + schema + "}}", "{f: " + value + "}");

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {anyOf: [{minimum: 5}, {maximum: 2}]}           | 3      | <nil>: Invalid value: "": "f" must validate at least one schema (anyOf); f: Invalid value: 3: f in body should be greater than or equal to 5
          {anyOf: [{minimum: 5}, {maximum: 2}]}           | 1      |
          {oneOf: [{minimum: 5}, {maximum: 2}]}           | 3      | <nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found none valid; f: Invalid value: 3: f in body should be greater than or equal to 5
          {oneOf: [{minimum: 1}, {maximum: 5}]}           | 3      | <nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives
          {oneOf: [{minimum: 1}, {maximum: 5}]}           | 7      |
          {allOf: [{minimum: 5}, {maximum: 9}]}           | 3      | f: Invalid value: 3: f in body should be greater than or equal to 5; <nil>: Invalid value: "": "f" must validate all the schemas (allOf)
          {allOf: [{minimum: 5}]}                         | 3      | f: Invalid value: 3: f in body should be greater than or equal to 5; <nil>: Invalid value: "": "f" must validate all the schemas (allOf). None validated
          {not: {minimum: 5}}                             | 7      | <nil>: Invalid value: "": "f" must not validate the schema (not)
          {not: {minimum: 5}}                             | 3      |
          {anyOf: [{required: [a]}, {required: [b]}]}     | {c: 1} | <nil>: Invalid value: "": "f" must validate at least one schema (anyOf); f.a: Required value
          {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]} | true | f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"; <nil>: Invalid value: "": "f" must validate at least one schema (anyOf); f: Invalid value: "boolean": f in body must be of type integer: "boolean"
          {anyOf: [{properties: {a: {enum: [x]}}}, {properties: {a: {enum: [z]}, b: {enum: [w]}}}]} | {a: v, b: w} | <nil>: Invalid value: "": "f" must validate at least one schema (anyOf); f.a: Unsupported value: "v": supported values: "z"
          """)
  void create_combinesSchemas(String schema, String value, @Nullable String causes) {
    List<String> found =
        create("{type: object, properties: {f: " + schema + "}}", "{f: " + value + "}");

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  @Test
  void create_namesNoFieldForTheRoot() {
    assertThat(
            create(
                "{type: object, required: [spec], minProperties: 1, oneOf: [{required: [a]}]}",
                "{kind: Widget}"))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"\" must validate one and only one schema (oneOf). Found"
                + " none valid",
            "a: Required value",
            "spec: Required value");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          set                | [a, b, a, b, a]                  | spec.l[2]: Duplicate value: "a"; spec.l[3]: Duplicate value: "b"
          set                | [1, 1.0, '1']                    | spec.l[1]: Duplicate value: 1
          set                | [{a: 1, b: 2}, {b: 2, a: 1}]     | spec.l[1]: Duplicate value: {"a":1,"b":2}
          set                | [[1], [1], [2]]                  | spec.l[1]: Duplicate value: [1]
          map, x-kubernetes-list-map-keys: [a]    | [{a: 1}, {a: 2}, {a: 1, b: 3}]      | spec.l[2]: Duplicate value: {"a":1}
          map, x-kubernetes-list-map-keys: [a]    | [{b: 1}, {b: 2}]                    | spec.l[1]: Duplicate value: {}
          map, x-kubernetes-list-map-keys: [a]    | [null, {b: 2}]                      | spec.l[1]: Duplicate value: {}
          map, x-kubernetes-list-map-keys: [a]    | [{a: 1}, 5]                         | spec.l[1]: Invalid value: 5: must be an object for an array of list-type map
          map, x-kubernetes-list-map-keys: [a, b] | [{a: 1, b: 1}, {a: 1}, {a: 1, b: 1}] | spec.l[2]: Duplicate value: {"a":1,"b":1}
          map, x-kubernetes-list-map-keys: [b, a] | [{a: 1, b: 1}, {a: 1, b: 1}]     | spec.l[1]: Duplicate value: {"a":1,"b":1}
          atomic             | [a, a]                           |
          """)
  void create_rejectsDuplicatesInSetsAndMaps(String type, String list, @Nullable String causes) {
    List<String> found =
        create(
            "{type: object, properties: {spec: {type: object, properties: {l: {type: array,"
                + " x-kubernetes-list-type: "
                + type
                + "}}}}}",
            "{spec: {l: " + list + "}}");

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  @Test
  void create_findsDuplicatesBelowMapsAndElements() {
    assertThat(
            create(
                "{type: object, properties: {m: {type: object, additionalProperties: {type: array,"
                    + " items: {type: array, x-kubernetes-list-type: set}}}}}",
                "{m: {k: [[a], [b, b]]}}"))
        .containsExactly("m[k][1][1]: Duplicate value: \"b\"");
  }

  @Test
  void create_ofManyElementsIsNotQuadratic() {
    List<Node> many = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      // hash codes that are all alike
      many.add(
          Node.text(Integer.toBinaryString(i | 1 << 18).replace("0", "Aa").replace("1", "BB")));
    }
    many.add(many.getFirst());
    String list = "x-kubernetes-list-type: set, uniqueItems: true, items: {type: string}";

    List<FieldCause> causes =
        VALIDATION.validateCreate(
            CustomSchemas.version("{type: object, properties: {l: {type: array, " + list + "}}}"),
            MapNode.of("l", new Items(many)),
            _ -> {});

    assertThat(causes).extracting(FieldCause::field).containsExactly("l", "l[200000]");
  }

  @Test
  void create_boundsTheSizeOfItsCauses() {
    List<Node> wrong = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      wrong.add(new Node.Int(i));
    }

    List<FieldCause> causes =
        VALIDATION.validateCreate(
            CustomSchemas.version(
                "{type: object, properties: {l: {type: array, items: {type: string}}}}"),
            MapNode.of("l", new Items(wrong)),
            _ -> {});

    assertThat(causes).hasSize(65).endsWith(new FieldCause("", "and 199936 more", ""));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                      | spec.o.apiVersion: Required value; spec.o.kind: Required value
          {apiVersion: v1, kind: ConfigMap}                       |
          {apiVersion: '', kind: ''}                              | spec.o.apiVersion: Required value; spec.o.kind: Required value
          {apiVersion: a/b/c, kind: K}                            | spec.o.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c
          {apiVersion: 1, kind: 2}                                | spec.o.apiVersion: Invalid value: 1: must be a string; spec.o.kind: Invalid value: 2: must be a string
          {apiVersion: v1, kind: 'Ab c'}                          | spec.o.kind: Invalid value: "Ab c": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
          {apiVersion: v1, kind: K, metadata: {name: my}}         | spec.o.metadata.name: Invalid value: "my": no
          {apiVersion: v1, kind: K, metadata: {}}                 | spec.o.metadata.name: Invalid value: "fakename": no
          """)
  void create_validatesEmbeddedObjects(String embedded, @Nullable String causes) {
    CustomObjectValidation validation =
        new CustomObjectValidation(
            (metadata, path) -> List.of(FieldCause.invalid(path + ".name", metadata.name(), "no")),
            CustomExpressions.NONE);
    String schema =
        "{type: object, properties: {spec: {type: object, properties: {o: {type: object,"
            + " x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields:"
            + " true}}}}}";

    List<String> found =
        causes(
            validation.validateCreate(
                CustomSchemas.version(schema), object("{spec: {o: " + embedded + "}}"), _ -> {}));

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {properties: {a: {type: string}, b: {}}}              | {a: 1}                  | {a: 1, b: 2}            |
          {properties: {a: {type: string}}}                     | {a: 1}                  | {a: 2}                  | f.a: Invalid value: "integer": f.a in body must be of type string: "integer"
          {required: [b], properties: {a: {}, b: {}}}           | {a: 1}                  | {a: 1}                  |
          {required: [b], properties: {a: {}, b: {}}}           | {a: 1}                  | {a: 2}                  | f.b: Required value
          {required: [b], properties: {a: {}, b: {}}}           | {x: 1}                  | {x: 1}                  | f.b: Required value
          {oneOf: [{required: [b]}], properties: {a: {}, b: {}}} | {a: 1}                 | {a: 1}                  |
          {additionalProperties: {minimum: 5}}                  | {a: 1, b: 2}            | {a: 1, b: 3}            | f.b: Invalid value: 3: f.b in body should be greater than or equal to 5
          {properties: {a: {minimum: 5}, b: {properties: {a: {minimum: 5}}}}} | {a: 1}   | {a: 1, b: {a: 1}}       | f.b.a: Invalid value: 1: f.b.a in body should be greater than or equal to 5
          {items: {minimum: 5}}                                 | [1, 2]                  | [1, 3]                  | f[0]: Invalid value: 1: f[0] in body should be greater than or equal to 5; f[1]: Invalid value: 3: f[1] in body should be greater than or equal to 5
          {items: {minimum: 5}}                                 | [1, 2]                  | [1, 2]                  |
          {items: {additionalProperties: {minLength: 6}}}       | [{a: 1, b: x}]          | [{a: 1, b: x}]          |
          {items: {additionalProperties: {minLength: 6}}}       | [{b: x}]                | [{b: x, c: longer}]     | f[0].b: Invalid value: "x": f[0].b in body should be at least 6 chars long
          {items: {minimum: 5}}                                 | [1, 2]                  | [2, 1]                  | f[0]: Invalid value: 2: f[0] in body should be greater than or equal to 5; f[1]: Invalid value: 1: f[1] in body should be greater than or equal to 5
          {items: {minimum: 5}, x-kubernetes-list-type: set}    | [1, 7]                  | [1, 8]                  | f[0]: Invalid value: 1: f[0] in body should be greater than or equal to 5
          {items: {minimum: 5}, x-kubernetes-list-type: set}    | [1, 7]                  | [1, 7]                  |
          {items: {minimum: 5}, x-kubernetes-list-type: atomic} | [1, 7]                  | [1, 8]                  | f[0]: Invalid value: 1: f[0] in body should be greater than or equal to 5
          {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {properties: {k: {}, v: {minimum: 5}}}} | [{k: a, v: 1}, {k: b, v: 9}] | [{k: c, v: 6}, {k: a, v: 1}] |
          {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {properties: {k: {}, v: {minimum: 5}}}} | [{k: a, v: 1}] | [{k: b, v: 1}] | f[0].v: Invalid value: 1: f[0].v in body should be greater than or equal to 5
          {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], minItems: 3, items: {properties: {k: {}}}} | [{k: a}, {k: b}] | [{k: b}, {k: a}] |
          {minItems: 3, items: {}}                              | [1, 2]                  | [2, 1]                  | f: Invalid value: 2: f in body should have at least 3 items
          {x-kubernetes-list-type: set}                         | [a, a]                  | [b, b]                  |
          {x-kubernetes-list-type: set}                         | [a, b]                  | [b, b]                  | f[1]: Duplicate value: "b"
          {anyOf: [{properties: {a: {minimum: 5}}}], properties: {a: {}, b: {}}} | {a: 1, b: 1} | {a: 1, b: 2}     |
          """)
  void update_acceptsWhatItLeavesAsItWas(
      String schema, String old, String value, @Nullable String causes) {
    List<String> found =
        update(
            "{type: object, properties: {f: " + schema + "}}",
            "{f: " + old + "}",
            "{f: " + value + "}");

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  @Test
  void update_neverRatchetsTheType() {
    String schema = "{type: object, properties: {kind: {type: string, enum: [Other]}, a: {}}}";

    assertThat(update(schema, "{kind: Widget, a: 1}", "{kind: Widget, a: 2}"))
        .containsExactly("kind: Unsupported value: \"Widget\": supported values: \"Other\"");
  }

  @Test
  void statusUpdate_validatesTheStatusAlone() {
    CustomResourceVersion version =
        CustomSchemas.version(
            "{type: object, required: [x], properties: {spec: {type: string}, status: {type:"
                + " object, required: [c], properties: {a: {type: string}, b: {type: string}}}}}");

    List<String> found =
        causes(
            VALIDATION.validateUpdate(
                version,
                "status",
                object("{spec: 1, status: {a: 1, b: 2}}"),
                object("{spec: 1, status: {a: 0, b: 2}}"),
                _ -> {}));

    assertThat(found)
        .containsExactly(
            "status.a: Invalid value: \"integer\": a in body must be of type string: \"integer\"",
            "status.c: Required value");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {spec: {replicas: 3}, status: {replicas: 3, selector: a=b}} |
          {}                              |
          {spec: {replicas: -1}}          | .spec.replicas: Invalid value: -1: should be a non-negative integer
          {spec: {replicas: 2147483648}}  | .spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647
          {spec: {replicas: three}}       | .spec.replicas: Invalid value: 0: .spec.replicas accessor error: three is of the type string, expected int64
          {spec: {replicas: 1.5}}         | .spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64
          {spec: {replicas: {a: 1, b: [2]}}} | .spec.replicas: Invalid value: 0: .spec.replicas accessor error: map[a:1 b:[2]] is of the type map[string]interface {}, expected int64
          {spec: text}                    | .spec.replicas: Invalid value: 0: .spec.replicas accessor error: text is of the type string, expected map[string]interface{}
          {status: {replicas: -1}}        | .status.replicas: Invalid value: -1: should be a non-negative integer
          {status: {selector: 5}}         | .status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string
          """)
  void create_validatesThePathsOfTheScale(String object, @Nullable String causes) {
    CustomResourceVersion version =
        CustomSchemas.versionWith(
            "{subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath:"
                + " .status.replicas, labelSelectorPath: .status.selector}}}",
            "{type: object}");

    List<String> found = causes(VALIDATION.validateCreate(version, object(object), _ -> {}));

    assertThat(String.join("; ", found)).isEqualTo(causes == null ? "" : causes);
  }

  /** One rule that every object violates. */
  private static final class Always implements CustomExpressions {
    @Override
    public boolean areIn(CustomResourceVersion version) {
      return true;
    }

    @Override
    public List<FieldCause> validate(
        CustomResourceVersion version,
        MapNode object,
        @Nullable MapNode old,
        Consumer<String> warnings) {
      warnings.accept("warned");
      return List.of(FieldCause.invalid("spec", "x", "failed rule"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {f: 7}  | spec: Invalid value: "x": failed rule
          {f: 3}  | f: Invalid value: 3: f in body should be greater than or equal to 5; spec: Invalid value: "x": failed rule
          {f: a}  | f: Invalid value: "string": f in body must be of type integer: "string"; <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation
          {}      | f: Required value; <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation
          """)
  void create_evaluatesExpressionsForObjectsOfTheDeclaredShape(String object, String causes) {
    CustomObjectValidation validation =
        new CustomObjectValidation(ObjectMetaRules.NONE, new Always());
    CustomResourceVersion version =
        CustomSchemas.version(
            "{type: object, required: [f], properties: {f: {type: integer, minimum: 5}}}");

    List<String> found = causes(validation.validateCreate(version, object(object), _ -> {}));

    assertThat(String.join("; ", found)).isEqualTo(causes);
  }
}
