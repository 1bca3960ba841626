package dev.keelson.schema.codec.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trees that are typed anew beside the typed tree that they were made from. */
class RetypedTreeTest {

  private static final StructSchema POD =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");

  private final MapNode typed =
      ObjectReader.json(
              "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"
                  .getBytes(StandardCharsets.UTF_8),
              POD,
              FieldValidation.STRICT)
          .root();

  private Decoded retyped(MapNode changed) {
    Decoded decoded = ObjectReader.tree(changed, typed, POD, FieldValidation.STRICT);
    assertThat(decoded).isEqualTo(ObjectReader.tree(changed, POD, FieldValidation.STRICT));
    return decoded;
  }

  @Test
  void tree_takesOverWhatIsTheSame() {
    MapNode changed = typed.withAt(List.of("metadata", "labels", "c"), Node.text("d"));

    MapNode root = retyped(changed).root();

    assertThat(root.map("metadata").map("labels").keys()).containsExactly("a", "c");
    assertThat(root.get("spec")).isSameAs(typed.get("spec"));
  }

  @Test
  void tree_typesWhatHasChanged() {
    MapNode metadata =
        typed.map("metadata").with("nobody", Node.text("knows")).with("labels", Node.Null.NULL);

    Decoded decoded = retyped(typed.with("metadata", metadata).without("kind"));

    assertThat(decoded.problems()).containsExactly("unknown field \"metadata.nobody\"");
    assertThat(decoded.root().map("metadata").keys()).containsExactly("name");
  }

  /** Expected texts: those of Kubernetes' converter of unstructured objects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"spec":{"priority":"x"}}                        | unrecognized type: int32
          {"spec":{"priority":1.5}}                        | cannot convert float64 to int32
          {"spec":{"priority":{}}}                         | unrecognized type: int32
          {"spec":{"hostNetwork":"x"}}                     | unrecognized type: bool
          {"spec":{"nodeName":5}}                          | cannot convert int64 to string
          {"spec":{"nodeName":0.5}}                        | unrecognized type: string
          {"spec":{"nodeName":true}}                       | unrecognized type: string
          {"spec":"x"}                                     | cannot restore struct from: string
          {"spec":{"containers":{"a":1}}}                  | cannot restore slice from map
          {"spec":{"containers":"x"}}                      | cannot restore slice from string
          {"metadata":{"labels":["a"]}}                    | cannot restore map from slice
          {"metadata":{"labels":{"a":1}}}                  | cannot convert int64 to string
          {"metadata":{"creationTimestamp":5}}             | json: cannot unmarshal number into Go value of type string
          {"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":true}}}]}} | json: cannot unmarshal bool into Go value of type int32
          {"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":1.5}}}]}}  | json: cannot unmarshal number 1.5 into Go value of type int32
          """)
  void converted_isRefusedInTheWordsOfTheConverter(String json, String message) {
    Node changed = ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8));

    assertThatExceptionOfType(DecodeException.class)
        .isThrownBy(() -> ObjectReader.converted(changed, typed, POD, FieldValidation.STRICT))
        .withMessage(message);
  }

  @Test
  void converted_takesWholeNumbersWithAPoint() {
    Node changed =
        ObjectReader.untypedJson(
            "{\"spec\":{\"priority\":3.0,\"terminationGracePeriodSeconds\":1e3}}"
                .getBytes(StandardCharsets.UTF_8));

    Decoded decoded = ObjectReader.converted(changed, typed, POD, FieldValidation.STRICT);

    assertThat(decoded.root().at("spec", "priority")).isEqualTo(new Node.Int(3));
    assertThat(decoded.root().at("spec", "terminationGracePeriodSeconds"))
        .isEqualTo(new Node.Int(1000));
  }

  @Test
  void tree_tellsOfTheWrongTypeUnderAFieldThatWasAnother() {
    assertThatExceptionOfType(DecodeException.class)
        .isThrownBy(
            () ->
                retyped(
                    typed
                        .with("metadata", typed.map("spec").map("none"))
                        .withAt(List.of("spec", "nodeName"), typed.map("metadata"))));
  }
}
