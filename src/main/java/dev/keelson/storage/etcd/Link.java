package dev.keelson.storage.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch;

/** One jetcd client, and the time of its last success. */
final class Link {

  final Client client;
  final KV kv;
  final Watch watch;
  final Lease lease;

  /** When it was opened or etcd last answered through it, by {@link System#nanoTime}. */
  private volatile long usefulNanos = System.nanoTime();

  Link(Client client) {
    this.client = client;
    kv = client.getKVClient();
    watch = client.getWatchClient();
    lease = client.getLeaseClient();
  }

  void answered() {
    usefulNanos = System.nanoTime();
  }

  long uselessNanos() {
    return System.nanoTime() - usefulNanos;
  }
}
