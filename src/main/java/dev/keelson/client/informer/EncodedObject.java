package dev.keelson.client.informer;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;

/**
 * An object as JSON, a fraction of the size of its tree.
 *
 * @param json a JSON object, which must not be modified
 */
public record EncodedObject(byte[] json) {

  /** Decodes the object. */
  public ApiObject decode() {
    if (ObjectReader.untypedJson(json) instanceof MapNode root) {
      return new ApiObject(root);
    }
    throw new IllegalStateException("not a JSON object");
  }
}
