package dev.keelson.server.quota;

import dev.keelson.quota.UsageFences;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.KeyLayout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fences in the store, as keys whose revision counts. Their leases remove the fences of namespaces
 * without changes; a fence that is gone is one more state that differs from those before.
 */
public final class StoredUsageFences implements UsageFences {

  /** Far longer than a write can take. */
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(30);

  /** What is forgotten is learned again from the store when a write is refused. */
  private static final int MOST_KNOWN = 10_000;

  private final RevisionedStore store;
  private final KeyLayout layout;
  private final Map<String, Long> known = new ConcurrentHashMap<>();

  /** The fences of a store, below the server's own data. */
  public StoredUsageFences(RevisionedStore store, KeyLayout layout) {
    this.store = store;
    this.layout = layout;
  }

  @Override
  public String key(String namespace) {
    return "quotafences/" + namespace;
  }

  @Override
  public long known(String namespace) {
    return known.getOrDefault(namespace, Write.ABSENT);
  }

  @Override
  public void learn(String namespace, long revision) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    Long unused = known.put(namespace, revision);
  }

  @Override
  public void raise(String namespace) {
    Write.Guard fence = new Write.Guard(layout.own(key(namespace)), Write.ABSENT);
    Entry entry = store.get(fence.key(), RevisionedStore.NEWEST).entry();
    long revision = entry == null ? Write.ABSENT : entry.modRevision();
    long lease = store.grantLease(TIME_TO_LIVE);
    // if another server is first, its raise is as good
    switch (store.write(new Write.Put(fence.key(), fence.key(), revision, lease))) {
      case WriteOutcome.Applied applied -> learn(namespace, applied.revision());
      case WriteOutcome.Conflict conflict -> learn(namespace, conflict.current().modRevision());
      case WriteOutcome.Missing _, WriteOutcome.Guarded _ -> learn(namespace, Write.ABSENT);
    }
  }
}
