package dev.keelson.registry.write;

import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.registry.read.Reading;
import dev.keelson.work.Turn;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deletes every object of a list. Not atomic, as in Kubernetes: after an error, or when the client
 * has gone, some objects are gone and others are not.
 */
public final class CollectionDeletion {

  private final Reading reading;
  private final Deletion deletion;
  private final Function<StoredObject, ApiObject> tree;

  /**
   * A deletion of lists.
   *
   * @param tree reads a stored object
   */
  public CollectionDeletion(
      Reading reading, Deletion deletion, Function<StoredObject, ApiObject> tree) {
    this.reading = reading;
    this.deletion = deletion;
    this.tree = tree;
  }

  /**
   * Deletes what matches at the moment of the call; an object that was deleted meanwhile is not an
   * error.
   *
   * @param page the chunk and the state to read
   * @param workers how many objects are deleted at the same time
   * @return the objects as they were listed
   * @throws ApiException the error of the first deletion that fails
   */
  public Listing delete(
      Collection collection,
      ListQuery query,
      ListPage page,
      DeleteQuery conditions,
      WriteOptions options,
      int workers) {
    Listing listing = reading.list(collection, query, page);
    List<StoredObject> items = listing.all();
    ConcurrentLinkedQueue<StoredObject> open = new ConcurrentLinkedQueue<>(items);
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    int helpers = Math.min(workers, items.size()) - 1;
    CountDownLatch done = new CountDownLatch(Math.max(helpers, 0));
    Runnable work = Turn.part(() -> delete(collection, conditions, options, open, failure));
    for (int i = 0; i < helpers; i++) {
      Thread unused =
          Thread.ofVirtual()
              .name("delete-collection-" + i)
              .start(
                  () -> {
                    try {
                      work.run();
                    } finally {
                      done.countDown();
                    }
                  });
    }
    delete(collection, conditions, options, open, failure);
    await(done);
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    Iterator<StoredObject> again = items.iterator();
    return new Listing(
        listing.definition(), again, listing.revision(), listing.token(), listing.remaining());
  }

  private void delete(
      Collection collection,
      DeleteQuery conditions,
      WriteOptions options,
      ConcurrentLinkedQueue<StoredObject> open,
      AtomicReference<@Nullable RuntimeException> failure) {
    try {
      for (StoredObject item = open.poll();
          item != null && failure.get() == null;
          item = open.poll()) {
        // a request that nobody waits for deletes nothing more
        Turn.check();
        ApiObject object = tree.apply(item);
        Collection own = new Collection(collection.definition(), object.meta().namespace());
        // empty if another client has deleted it
        Optional<Deleted> unused =
            deletion.deleteListed(own, object.meta().name(), conditions, options);
      }
    } catch (RuntimeException e) {
      RuntimeException first = failure.compareAndExchange(null, e);
      if (first != null) {
        first.addSuppressed(e);
      }
    }
  }

  private static void await(CountDownLatch done) {
    try {
      done.await();
    } catch (InterruptedException e) {
      // the workers end on their own; the caller's next blocking call throws
      Thread.currentThread().interrupt();
    }
  }
}
