package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Entry;
import dev.keelson.watch.CacheEvent;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.EventStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A watch of stored objects: first the objects of a state, then the events of a stream. Polls block
 * if a webhook converts the objects; {@link ConvertedWatch} polls such a watch.
 */
final class CacheWatch implements ObjectWatch {

  private final ResourceDefinition definition;
  private final Iterator<StoredObject> initial;
  private final long initialRevision;
  private final EventStream stream;
  private final ObjectMatcher matcher;
  private final @Nullable Cacher cache;

  CacheWatch(
      ResourceDefinition definition,
      Iterator<StoredObject> initial,
      long initialRevision,
      EventStream stream,
      ObjectMatcher matcher,
      @Nullable Cacher cache) {
    this.definition = definition;
    this.initial = initial;
    this.initialRevision = initialRevision;
    this.stream = stream;
    this.matcher = matcher;
    this.cache = cache;
  }

  @Override
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
    if (matcher.mayNeedWebhook()) {
      matcher.convert(batch.events());
    }
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

  @Override
  public boolean lagged() {
    return stream.lagged();
  }

  @Override
  public void close() {
    stream.close();
  }

  /** The event for the watcher, or null if the change does not match its selection. */
  private @Nullable ObjectEvent seen(CacheEvent change) {
    Entry before = change.before();
    Entry after = change.after();
    boolean matched = before != null && matcher.matches(change, ObjectMatcher.Side.BEFORE);
    boolean matches = after != null && matcher.matches(change, ObjectMatcher.Side.AFTER);
    if (matches) {
      ObjectEvent.Type type = matched ? ObjectEvent.Type.MODIFIED : ObjectEvent.Type.ADDED;
      return event(type, ObjectMatcher.Side.AFTER, Objects.requireNonNull(after), change);
    }
    return matched
        ? event(
            ObjectEvent.Type.DELETED,
            ObjectMatcher.Side.BEFORE,
            Objects.requireNonNull(before),
            change)
        : null;
  }

  private ObjectEvent event(
      ObjectEvent.Type type, ObjectMatcher.Side side, Entry entry, CacheEvent change) {
    // others are encoded from the stored bytes
    ApiObject tree = matcher.mayNeedWebhook() ? matcher.converted(change, side) : null;
    return new ObjectEvent(
        type, new StoredObject(definition, entry.value(), change.revision(), tree), change);
  }

  private @Nullable ApiException error(EventStream.@Nullable End end) {
    if (end == null) {
      return null;
    }
    return switch (end) {
      case LAGGED ->
          new ApiException(
              Reason.EXPIRED, "the watch fell too far behind the changes and lost events");
      case EXPIRED ->
          cache == null
              ? ObjectWatch.expired()
              : ObjectWatch.expired(initialRevision, cache.oldest());
      case UNAVAILABLE ->
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the store cannot be followed; please try again",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              null);
      case CLOSED -> new ApiException(Reason.SERVICE_UNAVAILABLE, "the server ends the watch");
    };
  }
}
