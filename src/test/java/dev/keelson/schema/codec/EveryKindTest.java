package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.stored.Served;
import dev.keelson.schema.codec.stored.Splice;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Full objects of every served type pass through the codec unchanged. */
@Timeout(120)
class EveryKindTest {

  static Stream<BuiltInKind> kinds() {
    return BuiltInKind.all();
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void json_decodedAndEncoded_isUnchanged(BuiltInKind kind) {
    byte[] json = ObjectWriter.json(kind.sample());

    Decoded decoded = ObjectReader.json(json, kind.schema(), FieldValidation.STRICT);

    assertThat(decoded.problems()).isEmpty();
    assertThat(utf8(ObjectWriter.json(decoded.root()))).isEqualTo(utf8(json));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void prettyJson_isTheSameObject(BuiltInKind kind) {
    byte[] pretty = ObjectWriter.prettyJson(kind.sample());

    Decoded decoded = ObjectReader.json(pretty, kind.schema(), FieldValidation.STRICT);

    assertThat(decoded.root()).isEqualTo(kind.sample());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void yaml_writtenAndRead_isUnchanged(BuiltInKind kind) {
    MapNode sample = kind.sample();

    byte[] yaml = ObjectWriter.yaml(sample);
    Decoded decoded = ObjectReader.yaml(yaml, kind.schema(), FieldValidation.STRICT);

    assertThat(decoded.problems()).isEmpty();
    assertThat(utf8(ObjectWriter.yaml(decoded.root()))).isEqualTo(utf8(yaml));
    assertThat(utf8(yaml)).doesNotContain("\n\n").endsWith("\n");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void empty_decodedAndEncoded_isStable(BuiltInKind kind) {
    MapNode once =
        ObjectReader.json(
                "{}".getBytes(StandardCharsets.UTF_8), kind.schema(), FieldValidation.STRICT)
            .root();
    byte[] json = ObjectWriter.json(once);

    assertThat(
            utf8(
                ObjectWriter.json(
                    ObjectReader.json(json, kind.schema(), FieldValidation.STRICT).root())))
        .isEqualTo(utf8(json));
    assertThat(Canonical.form(once, kind.schema())).isSameAs(once);
    assertThat(Canonical.form(MapNode.EMPTY, kind.schema())).isEqualTo(once);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void canonicalForm_restoresOrderAndSharesWhatIsInOrder(BuiltInKind kind) {
    MapNode sample = kind.sample();

    MapNode restored = Canonical.form((MapNode) reversed(sample, false), kind.schema());

    assertThat(utf8(ObjectWriter.json(restored))).isEqualTo(utf8(ObjectWriter.json(sample)));
    assertThat(Canonical.form(sample, kind.schema())).isSameAs(sample);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void tree_typedAnew_isUnchanged(BuiltInKind kind) {
    MapNode sample = kind.sample();

    Decoded decoded =
        ObjectReader.tree(reversed(sample, false), kind.schema(), FieldValidation.STRICT);

    assertThat(decoded.problems()).isEmpty();
    assertThat(utf8(ObjectWriter.json(decoded.root()))).isEqualTo(utf8(ObjectWriter.json(sample)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void splice_givesTheBytesThatDecodingGives(BuiltInKind kind) {
    MapNode sample = kind.sample();
    if (kind.schema().field("metadata") == null) {
      return;
    }
    byte[] stored = StoredForm.encode(sample, kind.schema());

    Served served = Objects.requireNonNull(Splice.object(kind.gvk(), kind.gvk()).of(stored, 4711));

    MapNode decoded = StoredForm.decode(stored, kind.schema(), 4711);
    assertThat(StoredForm.kindOf(stored)).isEqualTo(kind.gvk());
    assertThat(utf8(served.toBytes())).isEqualTo(utf8(ObjectWriter.json(decoded)));
    assertThat(served.length()).isEqualTo(served.toBytes().length);
    assertThat(decoded.map("metadata").get("selfLink")).isNull();
    assertThat(StoredForm.encode(decoded, kind.schema())).isEqualTo(stored);
  }

  /** Turns the keys of all objects around, except inside values that the schema leaves free. */
  private static Node reversed(Node node, boolean free) {
    return switch (node) {
      case MapNode map -> {
        List<String> keys = new java.util.ArrayList<>(map.keys());
        boolean keep = free || keys.contains("a<&>");
        if (!keep) {
          Collections.reverse(keys);
        }
        MapNode.Builder turned = MapNode.builder(keys.size());
        for (String key : keys) {
          turned.put(key, reversed(Objects.requireNonNull(map.get(key)), keep));
        }
        yield turned.build();
      }
      case Items items ->
          new Items(items.values().stream().map(item -> reversed(item, free)).toList());
      default -> node;
    };
  }
}
