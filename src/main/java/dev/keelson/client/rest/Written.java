package dev.keelson.client.rest;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.schema.codec.json.ManagedFields;
import java.util.List;

/**
 * The server's answer to a write that it has done: the object as it is stored then, which is
 * decoded only when it is used.
 */
public final class Written {

  private static final Excerpt NAME = Excerpt.of(List.of("metadata.name"));

  private final byte[] json;

  /** An answer with the JSON of an object, which must not be modified. */
  Written(byte[] json) {
    this.json = json;
  }

  /**
   * The stored object, without managed fields; the Status that a subresource such as {@code
   * binding} answers.
   *
   * @throws ApiException if the answer is no JSON object
   */
  public ApiObject object() {
    return new ApiObject(tree(ManagedFields.removedFromObject(json)));
  }

  /** The name of the stored object, such as the server has generated it. */
  public String name() {
    Excerpt.Found found = NAME.read(json, 0, json.length);
    MapNode root = found == null ? object().root() : found.root();
    return root.map("metadata").text("name");
  }

  /**
   * Decodes an answer.
   *
   * @throws ApiException if it is no JSON object
   */
  static MapNode tree(byte[] json) {
    if (ObjectReader.untypedJson(json) instanceof MapNode tree) {
      return tree;
    }
    throw new ApiException(Reason.UNKNOWN, "the server's answer is not a JSON object");
  }
}
