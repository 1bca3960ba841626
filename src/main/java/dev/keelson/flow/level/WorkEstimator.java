package dev.keelson.flow.level;

import dev.keelson.api.GroupResource;
import dev.keelson.flow.queue.WorkEstimate;
import dev.keelson.request.RequestInfo;
import java.time.Duration;
import java.util.Optional;

/**
 * Estimates the work of requests (source: apiserver, util/flowcontrol/request,
 * list_work_estimator.go and mutating_work_estimator.go, with the feature
 * SizeBasedListCostEstimate).
 *
 * @param cluster what is stored and watched
 */
public record WorkEstimator(Cluster cluster) {

  /** The most seats of a list. */
  private static final int MOST_OF_LIST = 100;

  /** The most seats of a write. */
  private static final int MOST_OF_WRITE = 10;

  private static final long BYTES_A_SEAT = 100_000;

  /** The memory that a list from the cache takes at most: it is streamed. */
  private static final long MOST_OF_STREAM = 1_000_000;

  private static final int WATCHES_A_SEAT = 10;

  /** How long the event of a write keeps a seat for so many watches. */
  private static final Duration EVENT = Duration.ofMillis(5);

  /** What is stored and watched. Must answer in microseconds. */
  public interface Cluster {

    /** The stored objects of a type; empty if they are not known, such as those of others. */
    Optional<Stored> stored(GroupResource resource);

    /** The number of watches that an event of a write concerns. */
    int watches(RequestInfo.Resource write);
  }

  /**
   * The stored objects of a type.
   *
   * @param averageBytes the estimated size of one
   */
  public record Stored(long objects, long averageBytes) {}

  /**
   * What a list, or the beginning of a watch, asks for.
   *
   * @param limit the size of a page; 0 for everything
   * @param selects whether there is a selector
   * @param fromStore whether the objects at an older revision are asked for, which Kubernetes reads
   *     from the store
   */
  public record Selection(long limit, boolean selects, boolean fromStore) {}

  /** The seats of a request that lists; {@code most} is that of its level, 0 without. */
  public WorkEstimate list(RequestInfo.Resource request, Selection selection, int most) {
    long seats =
        cluster
            .stored(request.groupResource())
            .map(stored -> seats(stored, selection, !request.name().isEmpty()))
            .orElse(1L);
    return new WorkEstimate(Math.clamp(seats, 1, limit(most, MOST_OF_LIST)));
  }

  /** The seats of a list whose parameters are invalid, as of the largest one. */
  public WorkEstimate invalidList(int most) {
    return new WorkEstimate(limit(most, MOST_OF_LIST));
  }

  private static int limit(int most, int ofAll) {
    return most == 0 ? ofAll : Math.min(most, ofAll);
  }

  private static long seats(Stored stored, Selection selection, boolean single) {
    long page = selection.limit > 0 ? Math.min(selection.limit, stored.objects) : stored.objects;
    long loaded = page;
    if (single) {
      loaded = 1;
    } else if (selection.fromStore && selection.selects) {
      loaded = Math.max(page, stored.objects / 2);
    }
    long bytes = loaded * stored.averageBytes;
    if (!selection.fromStore) {
      bytes = Math.min(bytes, MOST_OF_STREAM);
    }
    return Math.ceilDiv(bytes, BYTES_A_SEAT);
  }

  /**
   * The seats of a write, of which some stay for its watches; {@code most} is that of its level, 0
   * without.
   *
   * @param watches the watches that it concerns
   */
  public WorkEstimate write(int watches, int most) {
    if (watches < WATCHES_A_SEAT) {
      return WorkEstimate.ONE;
    }
    int wanted = Math.ceilDiv(watches, WATCHES_A_SEAT);
    int seats = Math.min(wanted, limit(most, MOST_OF_WRITE));
    // the same work with fewer seats takes longer
    return new WorkEstimate(1, seats, EVENT.multipliedBy(wanted).dividedBy(seats));
  }
}
