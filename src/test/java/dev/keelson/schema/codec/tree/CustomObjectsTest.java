package dev.keelson.schema.codec.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.testing.CustomSchemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects of custom resources: how they are read, written and brought into canonical form. */
class CustomObjectsTest {

  private static final StructSchema WIDGET =
      CustomSchemas.struct(
          """
          type: object
          properties:
            spec:
              type: object
              properties:
                replicas: {type: integer}
                names: {type: array, items: {type: object, properties: {first: {type: string}}}}
                free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                none: {type: string, nullable: true}
                other: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            empty: {type: object, properties: {list: {type: array, items: {type: string}}}}
          """);

  private static Decoded read(String json, FieldValidation validation) {
    return ObjectReader.json(json.getBytes(StandardCharsets.UTF_8), WIDGET, validation);
  }

  private static String printed(MapNode root) {
    return new String(ObjectWriter.json(root), StandardCharsets.UTF_8);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          order        | {"status":{"b":1,"a":2},"spec":{"replicas":1},"metadata":{"name":"n"},"kind":"Widget"}  | {"kind":"Widget","metadata":{"name":"n"},"spec":{"replicas":1},"status":{"a":2,"b":1}}
          wrong types  | {"spec":{"replicas":"three","names":"five"},"status":[]}                                | {"spec":{"names":"five","replicas":"three"},"status":[]}
          scalar       | {"spec":7,"status":"up"}                                                                | {"spec":7,"status":"up"}
          numbers      | {"spec":{"replicas":1.0},"status":{"a":1e3,"b":0.1,"c":12345678901234567890}}           | {"spec":{"replicas":1},"status":{"a":1000,"b":0.1,"c":12345678901234567000}}
          null         | {"spec":{"replicas":null,"none":null,"free":{"a":null}},"status":null}                  | {"spec":{"free":{"a":null},"none":null}}
          empty        | {"spec":{"names":[],"free":{}},"empty":{"list":[]}}                                     | {"empty":{"list":[]},"spec":{"free":{},"names":[]}}
          metadata     | {"metadata":{"labels":{"b":"1","a":"2"},"name":"n","creationTimestamp":null}}           | {"metadata":{"name":"n","labels":{"a":"2","b":"1"}}}
          """)
  void json_isReadAsItIs(String name, String sent, String expected) {
    Decoded decoded = read(sent, FieldValidation.STRICT);

    assertThat(printed(decoded.root())).isEqualTo(expected);
    assertThat(decoded.problems()).isEmpty();
    assertThat(printed(read(expected, FieldValidation.STRICT).root())).isEqualTo(expected);
    assertThat(Canonical.form(decoded.root(), WIDGET)).isSameAs(decoded.root());
  }

  @Test
  void problems_haveDuplicatesFirstThenMetadataThenPrunedThenEmbedded() {
    Decoded decoded =
        read(
            """
            {"zeta":{"a":1},"spec":{"replicas":1,"names":[{"first":"a","last":"b"}],"replicas":2,
              "other":{"apiVersion":"v1","kind":"K","metadata":{"name":"n","bad":1}},
              "extra":{"d":1,"d":2}},
             "metadata":{"name":"n","unknown":1},"alpha":1,"spec":{"replicas":3,"more":1,
              "other":{"metadata":{"worse":1}}}}
            """,
            FieldValidation.STRICT);

    assertThat(decoded.problems())
        .containsExactly(
            "duplicate field \"spec.replicas\"",
            "duplicate field \"spec.extra.d\"",
            "duplicate field \"spec\"",
            "unknown field \"metadata.unknown\"",
            "unknown field \"alpha\"",
            "unknown field \"spec.more\"",
            "unknown field \"zeta\"",
            "unknown field \"spec.other.metadata.worse\"");
    assertThat(printed(decoded.root()))
        .isEqualTo(
            "{\"metadata\":{\"name\":\"n\"},\"spec\":{\"other\":{\"metadata\":{}},\"replicas\":3}}");
  }

  @Test
  void duplicates_comeInTheOrderOfTheDocument() {
    Decoded decoded =
        read(
            """
            {"zeta":1,"zeta":2,"spec":{"replicas":1,"replicas":2},"alpha":1,"beta":{"d":1,"d":2},
             "alpha":2,"metadata":{"name":"n","labels":{"b":"1","b":"2","a":"3","a":"4"},"name":"m"}}
            """,
            FieldValidation.STRICT);

    assertThat(decoded.problems())
        .containsExactly(
            "duplicate field \"zeta\"",
            "duplicate field \"spec.replicas\"",
            "duplicate field \"beta.d\"",
            "duplicate field \"alpha\"",
            "duplicate field \"metadata.labels.b\"",
            "duplicate field \"metadata.labels.a\"",
            "duplicate field \"metadata.name\"",
            "unknown field \"alpha\"",
            "unknown field \"beta\"",
            "unknown field \"zeta\"");
  }

  @Test
  void problems_ofElementsHaveIndexes() {
    Decoded decoded =
        read(
            "{\"spec\":{\"names\":[{\"first\":\"a\"},{\"first\":\"b\",\"last\":\"c\"}]}}",
            FieldValidation.WARN);

    assertThat(decoded.problems()).containsExactly("unknown field \"spec.names[1].last\"");
  }

  @Test
  void problems_areNotCollectedWhereTheyAreIgnored() {
    Decoded decoded = read("{\"spec\":{\"x\":1,\"x\":2},\"y\":3}", FieldValidation.IGNORE);

    assertThat(decoded.problems()).isEmpty();
    assertThat(printed(decoded.root())).isEqualTo("{\"spec\":{}}");
  }

  @Test
  void yaml_reportsDuplicateKeysByLine() {
    Decoded decoded =
        ObjectReader.yaml(
            "spec:\n  replicas: 1\n  replicas: 2\n  extra: 1\n".getBytes(StandardCharsets.UTF_8),
            WIDGET,
            FieldValidation.STRICT);

    assertThat(decoded.problems())
        .containsExactly(
            "line 3: key \"replicas\" already set in map", "unknown field \"spec.extra\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"metadata":{"labels":1}}                          | json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string
          {"metadata":{"ownerReferences":[{"name":1}]}}      | json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string
          {"metadata":"x"}                                   | json: cannot unmarshal string into Go value of type v1.ObjectMeta
          {"spec":{"other":{"metadata":{"labels":1}}}}       | spec.other.metadata: Invalid value: {"labels":1}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string
          {"spec":{"other":{"metadata":7}}}                  | spec.other.metadata: Invalid value: 7: json: cannot unmarshal number into Go value of type v1.ObjectMeta
          {"spec":{"other":{"kind":7}}}                      | spec.other.kind: Invalid value: 7: must be a string
          {"spec":{"replicas":1e400}}                        | json: cannot unmarshal number 1e400 into Go value of type float64
          """)
  void json_withMetadataOfTheWrongTypeIsRejected(String sent, String message) {
    assertThatExceptionOfType(DecodeException.class)
        .isThrownBy(() -> read(sent, FieldValidation.IGNORE))
        .satisfies(e -> assertThat(e.text()).isEqualTo(message))
        .satisfies(e -> assertThat(e.fault()).isEqualTo(DecodeException.Fault.SHAPE));
  }

  @Test
  void embeddedMetadata_isTyped() {
    MapNode root =
        read(
                """
                {"spec":{"other":{"apiVersion":"v1","kind":"K","spec":{"z":1,"y":[{"b":1,"a":2}]},
                  "metadata":{"name":"n","labels":{},"generation":null,"creationTimestamp":null,
                    "annotations":{"b":"1","a":null},"bad":1}}}}
                """,
                FieldValidation.IGNORE)
            .root();

    assertThat(printed(root))
        .isEqualTo(
            "{\"spec\":{\"other\":{\"apiVersion\":\"v1\",\"kind\":\"K\","
                + "\"metadata\":{\"annotations\":{\"a\":\"\",\"b\":\"1\"},\"name\":\"n\"},"
                + "\"spec\":{\"y\":[{\"a\":2,\"b\":1}],\"z\":1}}}}");
    assertThat(Canonical.form(root, WIDGET)).isSameAs(root);
  }

  @Test
  void stored_losesMetadataOfTheWrongType() {
    byte[] stored =
        """
        {"apiVersion":"example.com/v1","kind":"Widget",
         "metadata":{"name":"n","labels":{"a":1},"annotations":{"b":"c"},"bad":1},
         "spec":{"gone":1,"other":{"apiVersion":1,"kind":"K",
           "metadata":{"name":7,"labels":{"d":"e"}}}}}
        """
            .getBytes(StandardCharsets.UTF_8);

    MapNode root = StoredForm.decode(stored, WIDGET);

    assertThat(printed(root))
        .isEqualTo(
            "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\","
                + "\"metadata\":{\"name\":\"n\",\"annotations\":{\"b\":\"c\"},\"generation\":1},"
                + "\"spec\":{\"other\":{\"kind\":\"K\",\"metadata\":{\"labels\":{\"d\":\"e\"}}}}}");
  }

  @Test
  void canonicalForm_prunesAndSorts() {
    MapNode root =
        CustomSchemas.object(
            """
            {"zeta":1,"status":{"b":1.0,"a":2},"spec":{"replicas":1,"extra":2,"none":null,
              "other":{"metadata":{"name":1,"labels":{"a":"b"}}}},"metadata":{"name":"n"}}
            """);

    MapNode form = Canonical.form(root, WIDGET);

    assertThat(printed(form))
        .isEqualTo(
            "{\"metadata\":{\"name\":\"n\"},\"spec\":{\"none\":null,"
                + "\"other\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}},\"replicas\":1},"
                + "\"status\":{\"a\":2,\"b\":1}}");
    assertThat(Canonical.form(form, WIDGET)).isSameAs(form);
  }

  @Test
  void openRoot_keepsUnknownFieldsBehindTheDeclaredOnes() {
    StructSchema open =
        CustomSchemas.struct(
            "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type:"
                + " string}}}");

    Decoded decoded =
        ObjectReader.json(
            "{\"z\":{\"y\":1,\"x\":2},\"c\":null,\"b\":\"B\",\"a\":1.0,\"kind\":\"K\",\"a\":2}"
                .getBytes(StandardCharsets.UTF_8),
            open,
            FieldValidation.STRICT);

    assertThat(printed(decoded.root()))
        .isEqualTo("{\"kind\":\"K\",\"b\":\"B\",\"a\":2,\"c\":null,\"z\":{\"x\":2,\"y\":1}}");
    assertThat(decoded.problems()).containsExactly("duplicate field \"a\"");
    assertThat(Canonical.form(decoded.root(), open)).isSameAs(decoded.root());
  }

  @Test
  void tree_takesOverWhatIsTheSame() {
    MapNode typed =
        read("{\"spec\":{\"free\":{\"a\":{\"b\":1}}},\"status\":{}}", FieldValidation.IGNORE)
            .root();

    MapNode root =
        ObjectReader.tree(
                typed.withAt(List.of("status", "x"), new Node.Decimal("2.0")),
                typed,
                WIDGET,
                FieldValidation.STRICT)
            .root();

    assertThat(root.get("spec")).isSameAs(typed.get("spec"));
    assertThat(root.map("status").get("x")).isEqualTo(new Node.Int(2));
  }

  @Test
  void json_withManyKeysIsReadInOnePass() {
    StringBuilder json = new StringBuilder("{\"status\":{");
    for (int i = 200_000; i > 0; i--) {
      json.append('"').append(i).append("\":").append(i).append(i > 1 ? "," : "");
    }

    MapNode root = read(json.append("}}").toString(), FieldValidation.STRICT).root();

    assertThat(root.map("status").keyAt(0)).isEqualTo("1");
    assertThat(root.map("status").size()).isEqualTo(200_000);
  }
}
