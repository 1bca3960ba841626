package dev.keelson.server.controller;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.KeyLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The leases of the servers of one store: each server renews a key with its address. Keys and
 * values are those of kube-apiserver (source: the lease endpoint reconciler), so that both can
 * share a store.
 */
public final class MasterLeases {

  private static final String FOLDER = "masterleases/";
  private static final int MOST = 1000;

  private final RevisionedStore store;
  private final KeyLayout layout;
  private final Duration timeToLive;

  /**
   * @param timeToLive the duration of a lease
   */
  public MasterLeases(RevisionedStore store, KeyLayout layout, Duration timeToLive) {
    this.store = store;
    this.layout = layout;
    this.timeToLive = timeToLive;
  }

  /** Creates or renews the lease of {@code address}; throws what the store throws. */
  void renew(String address) {
    Bytes key = layout.other(FOLDER + address);
    long lease = store.grantLease(timeToLive);
    WriteOutcome unused = store.write(new Write.Put(key, value(address), revisionOf(key), lease));
    // a concurrent writer has just renewed the same lease
  }

  /** Deletes the lease of {@code address}; throws what the store throws. */
  void remove(String address) {
    Bytes key = layout.other(FOLDER + address);
    long revision = revisionOf(key);
    if (revision != Write.ABSENT) {
      WriteOutcome unused = store.write(Write.delete(key, revision));
    }
  }

  /** Returns the addresses of all leases in order; throws what the store throws. */
  List<String> addresses() {
    Bytes prefix = layout.other(FOLDER);
    List<String> addresses = new ArrayList<>();
    for (Entry entry :
        store.range(KeyRange.prefix(prefix), RevisionedStore.NEWEST, MOST).entries()) {
      addresses.add(entry.key().utf8().substring(prefix.utf8().length()));
    }
    return addresses;
  }

  private long revisionOf(Bytes key) {
    Entry entry = store.get(key, RevisionedStore.NEWEST).entry();
    return entry == null ? Write.ABSENT : entry.modRevision();
  }

  private static Bytes value(String address) {
    MapNode subset =
        MapNode.of("addresses", new Node.Items(List.of(MapNode.of("ip", Node.text(address)))));
    MapNode endpoints =
        MapNode.builder(4)
            .put("kind", Node.text("Endpoints"))
            .put("apiVersion", Node.text(GroupVersion.CORE_V1.toString()))
            .put("metadata", MapNode.EMPTY)
            .put("subsets", new Node.Items(List.of(subset)))
            .build();
    return Bytes.wrap(ObjectWriter.json(endpoints));
  }
}
