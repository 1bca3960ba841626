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
