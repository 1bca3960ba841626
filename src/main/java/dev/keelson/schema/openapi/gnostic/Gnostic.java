package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.function.Function;

/**
 * Documents as gnostic's messages.
 *
 * @param json gives a value's JSON in UTF-8; extensions are carried as text
 */
public record Gnostic(Function<Node, byte[]> json) {

  /**
   * A Swagger 2.0 document as {@code openapi.v2.Document}.
   *
   * @throws IllegalStateException if it has a key that this package does not know
   */
  public byte[] v2(MapNode document) {
    return new Gnostic2Writer(json).write(document);
  }

  /**
   * An OpenAPI 3.0 document as {@code openapi.v3.Document}. Its DefaultType holds scalars only, so
   * other defaults are left out, as gnostic itself does.
   *
   * @throws IllegalStateException if it has a key that this package does not know
   */
  public byte[] v3(MapNode document) {
    return new Gnostic3Writer(json).write(document);
  }
}
