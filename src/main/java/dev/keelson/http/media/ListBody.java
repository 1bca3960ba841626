package dev.keelson.http.media;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.Indenter;
import dev.keelson.work.Turn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * A list as text. A short list is complete before it is sent and has a Content-Length; a long list
 * is encoded while it is sent and needs the memory of one part only.
 */
final class ListBody {

  /** The size of a part, and the maximum size of a list that is sent whole, in bytes. */
  private static final int PART = 256 * 1024;

  /**
   * Pieces of at most so many bytes are copied together: as an own component of the buffer that is
   * sent, a piece costs more than its copy.
   */
  private static final int SMALL = 1024;

  /** The size of the arrays that they are copied into, in bytes; the first ones are smaller. */
  private static final int MOST_JOINED = 16 * 1024;

  private static final byte[] NOTHING = {};
  private static final byte[] COMMA = {','};
  private static final byte[] END = ascii("]}\n");

  /** The indentation level of a list item. */
  private static final int ELEMENT_LEVEL = 2;

  /** What comes before each such element. */
  private static final String INDENT = "\n    ";

  private final Iterator<StoredObject> objects;
  private final Element element;
  private final byte[] separator;
  private final byte[] close;
  private final List<Payload.Slice> pieces = new ArrayList<>();
  private List<Payload.Slice> part = new ArrayList<>();
  private long length;

  /** Small pieces one after the other; those from {@code joinedFrom} are not in the part yet. */
  private byte[] joined = NOTHING;

  private int joinedFrom;
  private int joinedTo;
  private boolean first = true;

  /** Adds the text of one element. */
  @FunctionalInterface
  interface Element {
    void add(StoredObject object, List<Payload.Slice> out);
  }

  private ListBody(
      Iterator<StoredObject> objects,
      Element element,
      List<byte[]> open,
      byte[] separator,
      byte[] close) {
    this.objects = objects;
    this.element = element;
    this.separator = separator;
    this.close = close;
    open.forEach(this::add);
  }

  /**
   * A list in JSON.
   *
   * @param head the list without its elements, which come last
   * @param field the name of the elements
   */
  static Body json(MapNode head, String field, Iterator<StoredObject> objects, Element element) {
    byte[] json = ObjectWriter.json(head);
    ListBody list = new ListBody(objects, element, List.of(), COMMA, END);
    list.add(json, 0, json.length - 1);
    list.add(ascii(",\"" + field + "\":["));
    return list.body();
  }

  /** A list in indented JSON, as {@link ObjectWriter#prettyJson} indents. */
  static Body prettyJson(
      MapNode head, String field, Iterator<StoredObject> objects, Element element) {
    if (!objects.hasNext()) {
      return Payload.of(ObjectWriter.prettyJson(head.with(field, Node.Items.EMPTY)));
    }
    String json = new String(ObjectWriter.prettyJson(head), StandardCharsets.UTF_8).stripTrailing();
    String open = json.substring(0, json.length() - "\n}".length());
    Indenter indenter = new Indenter();
    List<Payload.Slice> compact = new ArrayList<>();
    return new ListBody(
            objects,
            (object, out) -> {
              compact.clear();
              element.add(object, compact);
              indenter.begin(ELEMENT_LEVEL);
              for (Payload.Slice slice : compact) {
                indenter.add(slice.array(), slice.offset(), slice.length());
              }
              JsonForm.add(out, indenter.toBytes());
            },
            List.of((open + ",\n  \"" + field + "\": [" + INDENT).getBytes(StandardCharsets.UTF_8)),
            ascii("," + INDENT),
            ascii("\n  ]\n}"))
        .body();
  }

  /** A list in YAML, where keys are in the order of the alphabet. */
  static Body yaml(
      MapNode head,
      String field,
      Iterator<StoredObject> objects,
      Function<StoredObject, MapNode> tree) {
    if (!objects.hasNext()) {
      return Payload.of(ObjectWriter.yaml(head.with(field, Node.Items.EMPTY)));
    }
    MapNode before = head;
    MapNode after = head;
    for (String key : head.keys()) {
      if (key.compareTo(field) < 0) {
        after = after.without(key);
      } else {
        before = before.without(key);
      }
    }
    return new ListBody(
            objects,
            // one element by itself looks as it does in the list
            (object, out) ->
                JsonForm.add(out, ObjectWriter.yaml(new Node.Items(List.of(tree.apply(object))))),
            List.of(yaml(before), ascii(field + ":\n")),
            NOTHING,
            yaml(after))
        .body();
  }

  private static byte[] yaml(MapNode entries) {
    return entries.isEmpty() ? NOTHING : ObjectWriter.yaml(entries);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void add(byte[] bytes) {
    add(bytes, 0, bytes.length);
  }

  private void add(byte[] bytes, int offset, int size) {
    length += size;
    if (size > SMALL) {
      endJoined();
      part.add(new Payload.Slice(bytes, offset, size));
      return;
    }
    if (joined.length - joinedTo < size) {
      endJoined();
      joined = new byte[Math.clamp(2L * joined.length, SMALL, MOST_JOINED)];
      joinedFrom = 0;
      joinedTo = 0;
    }
    System.arraycopy(bytes, offset, joined, joinedTo, size);
    joinedTo += size;
  }

  private void endJoined() {
    if (joinedTo > joinedFrom) {
      part.add(new Payload.Slice(joined, joinedFrom, joinedTo - joinedFrom));
      joinedFrom = joinedTo;
    }
  }

  private Body body() {
    fill();
    if (!objects.hasNext()) {
      return last();
    }
    return (Body.Streamed)
        sink -> {
          while (objects.hasNext()) {
            sink.write(take());
            fill();
          }
          sink.write(last());
        };
  }

  /** Adds objects until the part is full. */
  private void fill() {
    while (length < PART && objects.hasNext()) {
      if (!first) {
        add(separator);
      }
      first = false;
      Turn.pass();
      element.add(objects.next(), pieces);
      for (Payload.Slice piece : pieces) {
        add(piece.array(), piece.offset(), piece.length());
      }
      pieces.clear();
    }
  }

  private Payload take() {
    endJoined();
    Payload full = new Payload(part);
    part = new ArrayList<>();
    length = 0;
    return full;
  }

  private Payload last() {
    add(close);
    return take();
  }
}
