package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Entry;
import dev.keelson.watch.CacheEvent;
import dev.keelson.watch.EventStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A watch under way: first the objects that it begins with, then the changes. One reader polls, and
 * is woken when there is more; polls never block.
 */
public final class ObjectWatch implements AutoCloseable {

  /**
   * What a poll gives.
   *
   * @param events the next events
   * @param revision a revision from which the watch could be begun anew without loss, once these
   *     events have been seen
   * @param initialDone whether all objects that the watch began with have been given
   * @param more whether there is more to poll at once
   * @param end the error that ends the watch after these events, or null; of reason Expired when
   *     the history is gone, TooManyRequests when the reader was too slow
   */
  public record Batch(
      List<ObjectEvent> events,
      long revision,
      boolean initialDone,
      boolean more,
      @Nullable ApiException end) {}

  private final ResourceDefinition definition;
  private final Iterator<StoredObject> initial;
  private final long initialRevision;
  private final EventStream stream;
  private final ObjectMatcher matcher;

  ObjectWatch(
      ResourceDefinition definition,
      Iterator<StoredObject> initial,
      long initialRevision,
      EventStream stream,
      ObjectMatcher matcher) {
    this.definition = definition;
    this.initial = initial;
    this.initialRevision = initialRevision;
    this.stream = stream;
    this.matcher = matcher;
  }

  /** The resource in the version that is watched. */
  public ResourceDefinition definition() {
    return definition;
  }

  /** Takes at most {@code most} events. */
  public Batch poll(int most) {
    List<ObjectEvent> events = new ArrayList<>();
    if (initial.hasNext()) {
      while (events.size() < most && initial.hasNext()) {
        events.add(new ObjectEvent(ObjectEvent.Type.ADDED, initial.next(), null));
      }
      boolean done = !initial.hasNext();
      return new Batch(events, done ? initialRevision : 0, done, true, null);
    }
    EventStream.Batch batch = stream.poll(most);
    for (CacheEvent change : batch.events()) {
      ObjectEvent event = seen(change);
      if (event != null) {
        events.add(event);
      }
    }
    boolean more = batch.events().size() == most;
    return new Batch(
        events, Math.max(initialRevision, batch.revision()), true, more, error(batch.end()));
  }

  /** Whether the reader was too slow and has lost events; the error that a poll then tells. */
  public boolean lagged() {
    return stream.lagged();
  }

  @Override
  public void close() {
    stream.close();
  }

  /** The change from the watcher's point of view, or null if it does not concern it. */
  private @Nullable ObjectEvent seen(CacheEvent change) {
    Entry before = change.before();
    Entry after = change.after();
    boolean matched = before != null && matcher.matches(change, ObjectMatcher.Side.BEFORE);
    boolean matches = after != null && matcher.matches(change, ObjectMatcher.Side.AFTER);
    if (matches) {
      ObjectEvent.Type type = matched ? ObjectEvent.Type.MODIFIED : ObjectEvent.Type.ADDED;
      return event(type, Objects.requireNonNull(after), change);
    }
    return matched ? event(ObjectEvent.Type.DELETED, Objects.requireNonNull(before), change) : null;
  }

  private ObjectEvent event(ObjectEvent.Type type, Entry entry, CacheEvent change) {
    ApiObject noTree = null;
    return new ObjectEvent(
        type, new StoredObject(definition, entry.value(), change.revision(), noTree), change);
  }

  private static @Nullable ApiException error(EventStream.@Nullable End end) {
    if (end == null) {
      return null;
    }
    return switch (end) {
      case LAGGED ->
          new ApiException(
              Reason.TOO_MANY_REQUESTS,
              "the watch was read too slowly and fell behind the changes");
      case EXPIRED -> expired();
      case UNAVAILABLE ->
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the store cannot be followed; please try again",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              null);
      case CLOSED -> new ApiException(Reason.SERVICE_UNAVAILABLE, "the server ends the watch");
    };
  }

  /** The history that the watch needs is gone. */
  static ApiException expired() {
    return new ApiException(
        Reason.EXPIRED, "The resourceVersion for the provided watch is too old.");
  }
}
