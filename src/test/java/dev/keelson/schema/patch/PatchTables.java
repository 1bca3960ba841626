package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of patches, one JSON object a line. The answers are those of {@code kubectl patch --local}
 * 1.32, which applies patches with the very libraries of kube-apiserver.
 */
final class PatchTables {

  private PatchTables() {}

  /**
   * One row.
   *
   * @param type the schema's name, or empty
   * @param result what the patch makes, or null if it is refused
   * @param error the message of the refusal, or empty
   */
  record Row(
      String name, String type, MapNode target, Node patch, @Nullable Node result, String error) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows(String file) {
    try (InputStream in = PatchTables.class.getResourceAsStream(file)) {
      String text =
          new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().map(PatchTables::row).toList().stream();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }

  private static Row row(String line) {
    MapNode row = (MapNode) ObjectReader.untypedJson(line.getBytes(StandardCharsets.UTF_8));
    return new Row(
        row.text("name"),
        row.text("type"),
        row.map("target"),
        Objects.requireNonNull(row.get("patch")),
        row.get("result"),
        row.text("error"));
  }

  /** Reads JSON in which the quotes are single ones. */
  static Node json(String text) {
    return ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
