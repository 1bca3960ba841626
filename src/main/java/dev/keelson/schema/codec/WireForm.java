package dev.keelson.schema.codec;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.StructSchema;
import dev.keelson.schema.codec.JsonTape.Unusual;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The protobuf messages of stored objects of one kind, made from the stored bytes without a tree.
 * Used by one thread, for any number of objects.
 */
public final class WireForm {

  private final byte[] storedHead;
  private final WirePlan plan;
  private final JsonToProtobuf transcoder = new JsonToProtobuf();

  /**
   * A form.
   *
   * @param stored the kind in the store
   * @param schema of the kind asked for, which has the same shape
   */
  public WireForm(GroupVersionKind stored, StructSchema schema) {
    storedHead = Splice.storedHead(stored);
    plan = WirePlan.of(schema);
  }

  /**
   * The message of a stored object as an element of a list, as {@link ProtobufList#item} has it.
   *
   * @param revision the store's revision of the object, its resourceVersion
   * @return null if the value is not as Keelson writes it, or of another kind: it must be decoded
   */
  public byte @Nullable [] item(byte[] stored, long revision) {
    int length = storedHead.length;
    if (stored.length <= length || !Arrays.equals(stored, 0, length, storedHead, 0, length)) {
      return null;
    }
    try {
      return transcoder.item(stored, plan, revision);
    } catch (Unusual unusual) {
      return null;
    }
  }
}
