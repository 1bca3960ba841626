package dev.keelson.http.media;

import dev.keelson.http.Body;
import dev.keelson.http.Payload;
import dev.keelson.object.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A list in JSON. A short one is complete before it is sent, so that it has a length; a long one is
 * made while it is sent, and takes no more memory than a part of it, however long it is.
 */
final class JsonList {

  /** What is sent at a time, and the longest list that is sent whole; bytes. */
  private static final int PART = 256 * 1024;

  private static final byte[] COMMA = {','};
  private static final byte[] END = "]}\n".getBytes(StandardCharsets.US_ASCII);

  private final Element element;
  private final Iterator<StoredObject> objects;
  private List<Payload.Slice> part = new ArrayList<>();
  private long length;
  private boolean first = true;

  /** Adds the JSON of one element. */
  @FunctionalInterface
  interface Element {
    void add(StoredObject object, List<Payload.Slice> out);
  }

  private JsonList(MapNode head, String field, Iterator<StoredObject> objects, Element element) {
    this.element = element;
    this.objects = objects;
    byte[] open = ObjectWriter.json(head);
    part.add(new Payload.Slice(open, 0, open.length - 1));
    JsonForm.add(part, (",\"" + field + "\":[").getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * The body of a list.
   *
   * @param head the list without its elements
   * @param field the name of the elements
   */
  static Body of(MapNode head, String field, Iterator<StoredObject> objects, Element element) {
    JsonList list = new JsonList(head, field, objects, element);
    list.fill();
    if (!objects.hasNext()) {
      return list.last();
    }
    return (Body.Streamed)
        sink -> {
          while (objects.hasNext()) {
            sink.write(list.take());
            list.fill();
          }
          sink.write(list.last());
        };
  }

  /** Adds objects until the part is full. */
  private void fill() {
    while (length < PART && objects.hasNext()) {
      if (!first) {
        JsonForm.add(part, COMMA);
      }
      first = false;
      int before = part.size();
      element.add(objects.next(), part);
      for (Payload.Slice slice : part.subList(before, part.size())) {
        length += slice.length();
      }
    }
  }

  private Payload take() {
    Payload full = new Payload(part);
    part = new ArrayList<>();
    length = 0;
    return full;
  }

  private Payload last() {
    JsonForm.add(part, END);
    return take();
  }
}
