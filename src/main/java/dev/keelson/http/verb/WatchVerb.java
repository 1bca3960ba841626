package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.WatchBodies;
import dev.keelson.http.media.WatchBody;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Watches a collection, or one object by the deprecated path with a name (contract, "Watch"). */
final class WatchVerb implements VerbHandler {

  /** Longer than any connection, and small enough for milliseconds. */
  private static final long LONGEST_SECONDS = Integer.MAX_VALUE;

  /** Supplies the events of a call. */
  @FunctionalInterface
  interface Source {

    /** Starts the watch; {@code wake} runs when there are events to poll. */
    ObjectWatch open(ResourceCall call, WatchQuery query, Runnable wake);
  }

  private final WatchBodies bodies;
  private final Source source;
  private final Duration leastTimeout;
  private final RandomGenerator random;

  /**
   * @param source supplies the events
   * @param leastTimeout the minimum duration of a watch without timeoutSeconds; the actual one is
   *     random up to twice that, so that the watches of a restarted server do not all end at once;
   *     zero for no end
   */
  WatchVerb(WatchBodies bodies, Source source, Duration leastTimeout, RandomGenerator random) {
    this.bodies = bodies;
    this.source = source;
    this.leastTimeout = leastTimeout;
    this.random = random;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    Query query = call.request().query();
    ListQuery selection = QueryOptions.selection(query);
    if (call.info().watchPath() && !call.info().name().isEmpty()) {
      selection = named(selection, call.info().name());
    }
    boolean bookmarks = query.flag("allowWatchBookmarks");
    boolean markEnd = query.flag("sendInitialEvents") && bookmarks;
    WatchQuery asked = new WatchQuery(selection, ListOptions.watch(query));
    return bodies.answer(
        call.request(),
        call.definition(),
        wake -> source.open(call, asked, wake),
        new WatchBody.Options(
            timeout(query, leastTimeout, random),
            bookmarks,
            markEnd,
            !call.info().namespace().isEmpty()));
  }

  /** Selects the object of the path; a field selector must select it too. */
  private static ListQuery named(ListQuery selection, String name) {
    FieldSelector fields = selection.fields();
    if (fields.isEverything()) {
      FieldSelector.Term only = new FieldSelector.Term("metadata.name", name, false);
      fields = new FieldSelector(List.of(only));
    } else if (!fields.required("metadata.name").equals(name)) {
      throw ApiException.badRequest("fieldSelector metadata.name doesn't match requested name");
    }
    return new ListQuery(selection.labels(), fields, selection.uninitialized());
  }

  /** How long a watch lasts. */
  static Duration timeout(Query query, Duration leastTimeout, RandomGenerator random) {
    long seconds = ListOptions.number(query, "timeoutSeconds");
    if (seconds != 0) {
      // a negative timeout ends the watch immediately
      return Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS));
    }
    if (leastTimeout.isZero()) {
      return Duration.ofSeconds(LONGEST_SECONDS);
    }
    return leastTimeout.plusMillis(random.nextLong(Math.max(1, leastTimeout.toMillis())));
  }
}
