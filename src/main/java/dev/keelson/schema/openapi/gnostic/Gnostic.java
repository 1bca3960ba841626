package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Documents as gnostic's messages, {@code openapi.v2.Document} and {@code openapi.v3.Document}. The
 * entries of their paths and schemas can be written apart and put together. Its DefaultType of v3
 * holds scalars only, so other defaults are left out, as gnostic itself does.
 *
 * @param json gives a value's JSON in UTF-8; extensions are carried as text
 */
public record Gnostic(Function<Node, byte[]> json) {

  private static final String PATHS = "paths";
  private static final String DEFINITIONS = "definitions";
  private static final String COMPONENTS = "components";
  private static final String SCHEMAS = "schemas";

  /**
   * Entries of the paths of a Swagger 2.0 document.
   *
   * @throws IllegalStateException if they have a key that this package does not know
   */
  public byte[] v2Paths(MapNode paths) {
    return new Gnostic2Writer(json).writePaths(paths);
  }

  /**
   * Entries of the definitions of a Swagger 2.0 document.
   *
   * @throws IllegalStateException as {@link #v2Paths}
   */
  public byte[] v2Definitions(MapNode definitions) {
    return new Gnostic2Writer(json).writeSchemas(definitions);
  }

  /**
   * A Swagger 2.0 document.
   *
   * @param frame the document; its paths and definitions are replaced
   * @param paths what {@link #v2Paths} wrote
   * @param definitions what {@link #v2Definitions} wrote
   * @return the parts of the message, in order
   * @throws IllegalStateException as {@link #v2Paths}
   */
  public List<byte[]> v2(MapNode frame, List<byte[]> paths, List<byte[]> definitions) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(new Gnostic2Writer(json).write(frame.without(PATHS).without(DEFINITIONS)));
    addMessage(parts, 8, paths);
    addMessage(parts, 9, definitions);
    return parts;
  }

  /**
   * Entries of the paths of an OpenAPI 3.0 document.
   *
   * @throws IllegalStateException as {@link #v2Paths}
   */
  public byte[] v3Paths(MapNode paths) {
    return new Gnostic3Writer(json).writePaths(paths);
  }

  /**
   * Entries of the schemas of an OpenAPI 3.0 document.
   *
   * @throws IllegalStateException as {@link #v2Paths}
   */
  public byte[] v3Schemas(MapNode schemas) {
    return new Gnostic3Writer(json).writeSchemas(schemas);
  }

  /**
   * An OpenAPI 3.0 document.
   *
   * @param frame the document; its paths and the schemas of its components are replaced
   * @param paths what {@link #v3Paths} wrote
   * @param schemas what {@link #v3Schemas} wrote
   * @return the parts of the message, in order
   * @throws IllegalStateException as {@link #v2Paths}
   */
  public List<byte[]> v3(MapNode frame, List<byte[]> paths, List<byte[]> schemas) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(new Gnostic3Writer(json).write(frame.without(PATHS).without(COMPONENTS)));
    addMessage(parts, 4, paths);
    List<byte[]> components = new ArrayList<>();
    addMessage(components, 1, schemas);
    components.add(
        new Gnostic3Writer(json).writeComponents(frame.map(COMPONENTS).without(SCHEMAS)));
    addMessage(parts, 5, components);
    return parts;
  }

  private static void addMessage(List<byte[]> parts, int field, List<byte[]> content) {
    int length = 0;
    for (byte[] part : content) {
      length = Math.addExact(length, part.length);
    }
    parts.add(ProtoBytes.head(field, length));
    parts.addAll(content);
  }
}
