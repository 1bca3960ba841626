package dev.keelson.schema.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class BuiltInDefaultsTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final SchemaDefaults DEFAULTS = new SchemaDefaults(BuiltInDefaultsTest::json);

  /**
   * One row of the table.
   *
   * @param type the struct, for example {@code core.v1.Pod}
   * @param sent the object as a client sends it
   * @param path where to look in the completed one, with dots
   * @param expected what is there, as JSON; {@code -} if nothing is
   */
  record Row(String type, String sent, String path, String expected) {}

  static Stream<Row> rows() throws IOException {
    try (InputStream table =
        Objects.requireNonNull(
            BuiltInDefaultsTest.class.getResourceAsStream("/matrix/defaults.txt"))) {
      String text = new String(table.readAllBytes(), StandardCharsets.UTF_8);
      List<Row> rows =
          text.lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(line -> line.split("\\s*\\|\\s*", -1))
              .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3]))
              .toList();
      return rows.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void complete_fillsInWhatKubernetesDoes(Row row) {
    StructSchema schema = schema(row.type);
    MapNode sent =
        ObjectReader.json(bytes(row.sent.replace('\'', '"')), schema, FieldValidation.STRICT)
            .root();

    Node found = at(DEFAULTS.complete(sent, schema), row.path);

    if (row.expected.equals("-")) {
      assertThat(found).isNull();
    } else {
      assertThat(found).isEqualTo(json(row.expected.replace('\'', '"')));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nginx, Always",
    "nginx:latest, Always",
    "nginx:1.27, IfNotPresent",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, IfNotPresent",
    "registry.example:5000/team/app, Always",
    "registry.example:5000/team/app:v1, IfNotPresent",
    "localhost/app:latest, Always",
    "app@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, IfNotPresent",
    "app:latest@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, Always",
    "'', IfNotPresent",
    "Not/An/Image, IfNotPresent",
  })
  void pullPolicy_goesByTheTag(String image, String policy) {
    assertThat(ImageTag.pullPolicy(image)).isEqualTo(policy);
  }

  @Test
  void complete_aCompletedObject_changesNothing() throws IOException {
    for (Row row : rows().toList()) {
      StructSchema schema = schema(row.type);
      MapNode once = DEFAULTS.complete((MapNode) json(row.sent.replace('\'', '"')), schema);

      assertThat(DEFAULTS.complete(once, schema)).isEqualTo(once);
    }
  }

  private static StructSchema schema(String type) {
    String root = type.contains(".pkg.apis.") ? "io.k8s." : "io.k8s.api.";
    return SCHEMAS.struct(root + type);
  }

  private static @Nullable Node at(Node root, String path) {
    Node node = root;
    for (String step : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
      node =
          switch (node) {
            case MapNode map -> map.get(step);
            case Node.Items items -> items.values().get(Integer.parseInt(step));
            case null, default -> null;
          };
    }
    return withoutNulls(node);
  }

  /** The decoder shows lists that were never set as null, as Go does. */
  private static @Nullable Node withoutNulls(@Nullable Node node) {
    return switch (node) {
      case MapNode map -> {
        MapNode kept = MapNode.EMPTY;
        for (String key : map.keys()) {
          Node value = withoutNulls(map.get(key));
          kept = value == null ? kept : kept.with(key, value);
        }
        yield kept;
      }
      case Node.Items items -> {
        List<Node> kept = new ArrayList<>();
        for (Node item : items.values()) {
          Node value = withoutNulls(item);
          if (value != null) {
            kept.add(value);
          }
        }
        yield new Node.Items(kept);
      }
      case Node.Null _ -> null;
      case null, default -> node;
    };
  }

  private static Node json(String text) {
    return ObjectReader.untypedJson(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
