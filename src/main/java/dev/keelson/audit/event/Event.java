package dev.keelson.audit.event;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An audit event of audit.k8s.io/v1. Immutable and safe to share between threads; its JSON is
 * encoded once, however many back ends write it.
 */
public final class Event {

  /** What an event without objects takes; bytes. */
  private static final long OVERHEAD = 2048;

  /** An object is there as it is, and in the event's JSON. */
  private static final long COPIES = 2;

  private final EventFields fields;

  /** Set once with the same bytes, whichever thread is first. */
  private volatile byte @Nullable [] json;

  public Event(EventFields fields) {
    this.fields = fields;
  }

  public EventFields fields() {
    return fields;
  }

  /** The event on one line, without a newline. The array is shared and must not be changed. */
  public byte[] json() {
    byte[] known = json;
    if (known == null) {
      known = EventJson.of(fields);
      json = known;
    }
    return known;
  }

  /** The length of the event's JSON, which size limits are about; bytes. */
  public int size() {
    return json().length;
  }

  /** About how much memory the event takes, without encoding it; bytes. */
  public long weight() {
    return OVERHEAD + COPIES * (length(fields.requestObject()) + length(fields.responseObject()));
  }

  private static long length(byte @Nullable [] object) {
    return object == null ? 0 : object.length;
  }

  /** The event without request and response object, marked as truncated. */
  public Event truncated() {
    Map<String, String> annotations = new TreeMap<>(fields.annotations());
    annotations.put("audit.k8s.io/truncated", "true");
    return new Event(fields.withoutObjects().withAnnotations(annotations));
  }
}
