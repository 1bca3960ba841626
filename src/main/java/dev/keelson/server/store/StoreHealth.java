package dev.keelson.server.store;

import dev.keelson.http.health.HealthCheck;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A health check of a store: whether it answers in time. The names are kube-apiserver's for every
 * kind of store, since probes refer to them: {@code etcd} and {@code etcd-readiness}, and {@code
 * etcd-override-N} and {@code etcd-override-readiness-N} for the stores of overrides.
 *
 * <p>Safe for use by several threads; those that check while the store is asked share the answer.
 */
public final class StoreHealth implements HealthCheck {

  private final String name;
  private final @Nullable String group;
  private final RevisionedStore store;
  private final Duration timeout;

  /** The request under way; guarded by this. */
  private @Nullable CompletableFuture<Long> asked;

  private StoreHealth(
      String name, @Nullable String group, RevisionedStore store, Duration timeout) {
    this.name = name;
    this.group = group;
    this.store = store;
    this.timeout = timeout;
  }

  /** The check of the store of all resources without an override. */
  public static StoreHealth of(String name, RevisionedStore store, Duration timeout) {
    return new StoreHealth(name, null, store, timeout);
  }

  /**
   * The check of the store of an override.
   *
   * @param group the check of the main store, which this one is excluded with
   */
  public static StoreHealth ofOverride(
      String name, String group, RevisionedStore store, Duration timeout) {
    return new StoreHealth(name, group, store, timeout);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> group() {
    return Optional.ofNullable(group);
  }

  @Override
  public Optional<String> failure() {
    try {
      return ask().get(timeout.toNanos(), TimeUnit.NANOSECONDS) > 0
          ? Optional.empty()
          : Optional.of("the store has no revision");
    } catch (TimeoutException e) {
      return Optional.of("error getting data from etcd: context deadline exceeded");
    } catch (ExecutionException e) {
      return Optional.of("error getting data from etcd: " + reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  private static @Nullable String reason(ExecutionException e) {
    Throwable cause = e.getCause();
    return (cause == null ? e : cause).getMessage();
  }

  /** The request under way, or a new one. */
  private synchronized CompletableFuture<Long> ask() {
    CompletableFuture<Long> current = asked;
    if (current == null || current.isDone()) {
      CompletableFuture<Long> next = new CompletableFuture<>();
      Thread unused = Thread.ofVirtual().name("store-health").start(() -> answer(next));
      current = next;
      asked = next;
    }
    return current;
  }

  private void answer(CompletableFuture<Long> next) {
    try {
      next.complete(store.revision());
    } catch (StorageException e) {
      next.completeExceptionally(e);
    }
  }
}
