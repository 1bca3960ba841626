package dev.keelson.schema.codec.stored;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.json.JsonSkip;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Serves stored objects of one kind without parsing them: replaces the head and inserts the
 * resourceVersion. One instance serves any number of objects and threads.
 *
 * <p>A stored value begins <code>{"apiVersion":A,"kind":K,"metadata":{</code>; the served one
 * begins <code>{"kind":K,"apiVersion":A,"metadata":{</code>, or for an element of a list <code>
 * {"metadata":{</code>. Then follow the few strings that Go's ObjectMeta declares in front of the
 * resourceVersion, the resourceVersion, and everything else as it is stored.
 */
public final class Splice {

  private static final byte[] METADATA = ascii("\"metadata\":{");
  private static final byte[] RESOURCE_VERSION = ascii("\"resourceVersion\":\"");

  /** The keys in front of resourceVersion. */
  private static final byte[][] LEADING = {
    ascii("\"name\":\""),
    ascii("\"generateName\":\""),
    ascii("\"namespace\":\""),
    ascii("\"selfLink\":\""),
    ascii("\"uid\":\"")
  };

  private final byte[] storedHead;
  private final byte[] servedHead;

  private Splice(byte[] storedHead, byte[] servedHead) {
    this.storedHead = storedHead;
    this.servedHead = servedHead;
  }

  /**
   * For single objects.
   *
   * @param stored the kind in the store
   * @param served the kind asked for, which must have the same shape
   */
  public static Splice object(GroupVersionKind stored, GroupVersionKind served) {
    return new Splice(
        storedHead(stored),
        new JsonOutput(128)
            .raw('{')
            .raw(StoredForm.member("kind", served.kind()))
            .raw(StoredForm.member("apiVersion", served.apiVersion()))
            .raw(METADATA)
            .toBytes());
  }

  /**
   * For the elements of typed lists, which do not name their kind.
   *
   * @param stored the kind in the store
   */
  public static Splice listItem(GroupVersionKind stored) {
    return new Splice(storedHead(stored), new JsonOutput(16).raw('{').raw(METADATA).toBytes());
  }

  /** What the stored values of a kind begin with, up to the first field of the metadata. */
  public static byte[] storedHead(GroupVersionKind kind) {
    return new JsonOutput(128)
        .raw('{')
        .raw(StoredForm.member("apiVersion", kind.apiVersion()))
        .raw(StoredForm.member("kind", kind.kind()))
        .raw(METADATA)
        .toBytes();
  }

  /**
   * The served form of a stored object.
   *
   * @param revision the store's revision of the object, its resourceVersion
   * @return null if the value is not in canonical form or of another kind: it must be decoded
   */
  public @Nullable Served of(byte[] stored, long revision) {
    return of(stored, 0, stored.length, revision);
  }

  /**
   * The same of the stored object that is the part of {@code stored} from {@code from} to {@code
   * to}.
   */
  public @Nullable Served of(byte[] stored, int from, int to, long revision) {
    int metaAt = from + storedHead.length;
    if (to <= metaAt || !Arrays.equals(stored, from, metaAt, storedHead, 0, storedHead.length)) {
      return null;
    }
    int at = metaAt;
    // after each turn at stands at the end of a member, or still at the brace
    while (true) {
      int keyAt = at == metaAt ? at : at + 1;
      int end = at == metaAt || stored[at] == ',' ? leading(stored, keyAt, to) : -1;
      if (end < 0) {
        break;
      }
      at = end;
    }
    byte[] version = ascii(Long.toString(revision));
    boolean first = at == metaAt;
    boolean comma = first && stored[at] != '}';
    byte[] head =
        new byte
            [servedHead.length
                + (at - metaAt)
                + (first ? 0 : 1)
                + RESOURCE_VERSION.length
                + version.length
                + 1
                + (comma ? 1 : 0)];
    int size = copy(servedHead, 0, servedHead.length, head, 0);
    size = copy(stored, metaAt, at - metaAt, head, size);
    if (!first) {
      head[size++] = ',';
    }
    size = copy(RESOURCE_VERSION, 0, RESOURCE_VERSION.length, head, size);
    size = copy(version, 0, version.length, head, size);
    head[size++] = '"';
    if (comma) {
      head[size] = ',';
    }
    return new Served(head, stored, at, to);
  }

  /**
   * The same with nothing but the metadata, which must stand in a head that names another kind.
   *
   * @return its last byte is the end of the metadata; the brace that closes the object is missing.
   *     Null as with {@link #of(byte[], int, int, long)}
   */
  public @Nullable Served metadata(byte[] stored, int from, int to, long revision) {
    Served whole = of(stored, from, to, revision);
    if (whole == null) {
      return null;
    }
    int end = JsonSkip.container(stored, whole.offset(), to);
    return end < 0 ? null : new Served(whole.head(), stored, whole.offset(), end);
  }

  /** The end of the member at {@code at} if it is one of {@link #LEADING}, else -1. */
  private static int leading(byte[] stored, int at, int to) {
    for (byte[] key : LEADING) {
      int end = at + key.length;
      if (end < to && Arrays.equals(stored, at, end, key, 0, key.length)) {
        return stringEnd(stored, end, to);
      }
    }
    return -1;
  }

  private static int stringEnd(byte[] stored, int from, int to) {
    for (int i = from; i < to; i++) {
      if (stored[i] == '\\') {
        i++;
      } else if (stored[i] == '"') {
        return i + 1 < to ? i + 1 : -1;
      }
    }
    return -1;
  }

  private static int copy(byte[] from, int offset, int length, byte[] to, int at) {
    System.arraycopy(from, offset, to, at, length);
    return at + length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }
}
