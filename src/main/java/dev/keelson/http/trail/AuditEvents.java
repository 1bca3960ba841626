package dev.keelson.http.trail;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.audit.trail.TrailId;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStore.Bounds;
import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery.Start;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resource auditevents. Lists have the newest event first, and at most {@link #MOST} in a
 * chunk, also without a limit; a continue token is the name of the last event of its chunk, so that
 * new events shift no chunk. The resourceVersion of a list is the position of the trail, from which
 * a watch continues.
 */
public final class AuditEvents implements VirtualResource {

  /** The resource. */
  public static final GroupResource RESOURCE =
      new GroupResource("audit.keelson.dev", "auditevents");

  /** The most events of a chunk. */
  static final int MOST = 500;

  private final TrailStore store;
  private final InstantSource clock;

  /**
   * The events of a trail.
   *
   * @param clock for times before now
   */
  public AuditEvents(TrailStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  @Override
  public ApiObject answer(Request request) {
    String name = request.info().name();
    Optional<Entry> found =
        TrailId.isValid(name) ? TrailCall.ask(() -> store.find(name)) : Optional.empty();
    return found
        .map(EventObjects::of)
        .filter(event -> event.meta().namespace().equals(request.info().namespace()))
        .orElseThrow(() -> ApiException.notFound(RESOURCE, name));
  }

  @Override
  public Objects select(Request request, ListQuery selection) {
    ListPage page = ListOptions.list(request.query());
    TrailSelection.Selected selected = selected(request, selection);
    int limit = page.limit() == 0 ? MOST : (int) Math.min(MOST, page.limit());
    String before = before(page.token());
    ObjectPath object = selected.object();
    // read first, so that a watch from it misses nothing
    Bounds bounds = TrailCall.ask(store::bounds);
    if (object != null) {
      return TrailCall.ask(
          () ->
              new ObjectLife(store, object.changes(selected.query()))
                  .page(before, limit, bounds.newest()));
    }
    List<Entry> found = TrailCall.ask(() -> store.search(selected.query(), before, limit + 1));
    List<Entry> shown = found.subList(0, Math.min(limit, found.size()));
    String token = found.size() > limit ? shown.getLast().id() : "";
    return new Objects(shown.stream().map(EventObjects::of).toList(), bounds.newest(), token);
  }

  private TrailSelection.Selected selected(Request request, ListQuery selection) {
    return TrailSelection.of(
        request.info().namespace(), selection, request.query(), clock.instant());
  }

  private static String before(String token) {
    if (token.isEmpty()) {
      return TrailStore.NEWEST;
    }
    if (!TrailId.isValid(token)) {
      throw ApiException.badRequest("continue key is not valid: " + token);
    }
    return token;
  }

  @Override
  public ObjectWatch watch(Request request, ListQuery selection, Start start, Runnable wake) {
    TrailSelection.Selected selected = selected(request, selection);
    ObjectPath object = selected.object();
    TrailQuery query = object == null ? selected.query() : object.changes(selected.query());
    Bounds bounds = TrailCall.ask(store::bounds);
    List<Entry> initial = List.of();
    long position = bounds.newest();
    switch (start) {
      case Start.Objects _ -> initial = newest(query, bounds);
      case Start.Now _ -> {}
      case Start.After after -> {
        position = after.revision();
        // retention has removed events behind the revision, or it is of another trail
        boolean lost = bounds.oldest() > 0 && position < bounds.oldest() - 1;
        if (lost || position > bounds.newest()) {
          throw ObjectWatch.expired(position, bounds.oldest());
        }
      }
    }
    TrailWatch watch = new TrailWatch(request.definition(), store, query, initial, position, wake);
    watch.start();
    return watch;
  }

  /** The newest events before the watch begins, in the order of time. */
  private List<Entry> newest(TrailQuery query, Bounds bounds) {
    List<Entry> found =
        new ArrayList<>(TrailCall.ask(() -> store.search(query, TrailStore.NEWEST, MOST)));
    // what has come since the bounds were read follows as a change
    found.removeIf(entry -> entry.position() > bounds.newest());
    return found.reversed();
  }
}
