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

  /** More than any connection lives, and little enough to count in milliseconds. */
  private static final long LONGEST_SECONDS = Integer.MAX_VALUE;

  /** Where the events of a call come from. */
  @FunctionalInterface
  interface Source {

    /** Begins the watch; {@code wake} is to be run when there is more to poll. */
    ObjectWatch open(ResourceCall call, WatchQuery query, Runnable wake);
  }

  private final WatchBodies bodies;
  private final Source source;
  private final Duration leastTimeout;
  private final RandomGenerator random;

  /**
   * The verb.
   *
   * @param source gives the events
   * @param leastTimeout how long a watch lasts at least if the client does not say; the actual time
   *     is up to twice that, at random, so that the watches of a restarted server do not all end at
   *     once
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
        new WatchBody.Options(timeout(query), bookmarks, markEnd));
  }

  /** The object that the path names; a selector of fields must then name it, too. */
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

  private Duration timeout(Query query) {
    long seconds = ListOptions.number(query, "timeoutSeconds");
    if (seconds != 0) {
      // a time that is over ends the watch as soon as it has begun
      return Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS));
    }
    return leastTimeout.plusMillis(random.nextLong(Math.max(1, leastTimeout.toMillis())));
  }
}
