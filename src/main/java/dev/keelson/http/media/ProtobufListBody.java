package dev.keelson.http.media;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * A list in protobuf, which is length-prefixed. A short list is encoded at once; the items of a
 * long list are encoded twice, once for their lengths and once while they are sent, so that only
 * one part is in memory beside the stored values (of the watch cache, or of the whole list if the
 * type is not cached).
 */
final class ProtobufListBody {

  /** Maximum size of a list that is encoded at once, in bytes. */
  static final int MOST_HELD = 4 << 20;

  /** The size of a part in bytes. */
  private static final int PART = 256 * 1024;

  private ProtobufListBody() {}

  /**
   * The body of a list.
   *
   * @param head the bytes in front of the items, by the number of the items' bytes
   * @param item the bytes of one; the same whenever it is asked
   */
  static Body of(
      LongFunction<byte[]> head,
      Iterator<StoredObject> objects,
      Function<StoredObject, byte[]> item) {
    List<StoredObject> all = new ArrayList<>();
    List<Payload.Slice> held = new ArrayList<>();
    long length = 0;
    while (objects.hasNext()) {
      Turn.pass();
      StoredObject object = objects.next();
      byte[] bytes = item.apply(object);
      length += bytes.length;
      all.add(object);
      if (length <= MOST_HELD) {
        JsonForm.add(held, bytes);
      } else {
        held = List.of();
      }
    }
    byte[] first = head.apply(length);
    if (length > MOST_HELD) {
      long expected = length;
      return (Body.Streamed) sink -> send(sink, first, all, item, expected);
    }
    List<Payload.Slice> slices = new ArrayList<>(held.size() + 2);
    JsonForm.add(slices, first);
    slices.addAll(held);
    JsonForm.add(slices, ProtobufList.tail());
    return new Payload(slices);
  }

  private static void send(
      Body.Sink sink,
      byte[] head,
      List<StoredObject> all,
      Function<StoredObject, byte[]> item,
      long expected)
      throws InterruptedException {
    List<Payload.Slice> part = new ArrayList<>();
    JsonForm.add(part, head);
    long sent = 0;
    int size = 0;
    for (StoredObject object : all) {
      Turn.pass();
      byte[] bytes = item.apply(object);
      JsonForm.add(part, bytes);
      size += bytes.length;
      if (size >= PART) {
        sink.write(new Payload(part));
        part = new ArrayList<>();
        sent += size;
        size = 0;
      }
    }
    if (sent + size != expected) {
      throw new IllegalStateException(
          "the items have " + (sent + size) + " bytes, not " + expected + " as was said before");
    }
    JsonForm.add(part, ProtobufList.tail());
    sink.write(new Payload(part));
  }
}
